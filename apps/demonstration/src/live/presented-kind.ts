import { readKinds } from '@portcullis/contract/unit-protocol/records'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'

/** The presented kind of credential: that of the number if known, otherwise a card. */
export function presentedKind(index: PolicyIndex, number: string) {
  const [credential] = index.credentialsByNumber.get(number) ?? []
  return readKinds.find((kind) => kind === credential?.kind) ?? 'card'
}
