import type { Credential, CredentialKind, Door } from '../policy.ts'
import { doorInPolicy } from './door-in-policy.ts'
import type { PolicyIndex } from './policy-index.ts'

/**
 * The credential that a number identifies at a reader. Numbers are unique only within an account, so the reader's own
 * account comes first, then those above it, nearest first, then those below, then any other; among equals the active
 * one, then the older id.
 */
export function presentedCredential(
  index: PolicyIndex,
  presented: PresentedNumber,
  isCandidate: (credential: Credential) => boolean = () => true,
): Credential | undefined {
  const { account } = presented
  const same = sameNumber(index, presented)
  const only = same[0]
  // Nearly every number identifies one credential.
  if (only === undefined || same.length === 1) return only !== undefined && isCandidate(only) ? only : undefined
  return same
    .filter(isCandidate)
    .map((credential) => ({ credential, distance: distanceOf(index, credential.account, account) }))
    .sort((a, b) => a.distance - b.distance || activeFirst(a.credential, b.credential))
    .at(0)?.credential
}

/** What stands for a PIN among numbers: of a user who has presented another credential, or without one. */
export function pinNumber(pin: string, user?: string): string {
  return user === undefined ? `${pinMark}${pin}` : `${pinMark}${user}:${pin}`
}

/** The PIN that `pinNumber` without a user stands for; other numbers as they are. */
export function withoutPinMark(number: string): string {
  return isMarkedAsPin(number) ? number.slice(pinMark.length) : number
}

/** No other credential has such a number. */
export function isMarkedAsPin(number: string): boolean {
  return number.startsWith(pinMark)
}

const pinMark = 'pin:'

/** The credentials of the same number, itself included. */
export function sameNumber(
  index: PolicyIndex,
  { kind, number }: Omit<PresentedNumber, 'account'>,
): readonly Credential[] {
  return (kind === 'pin' ? index.credentialsByPin : index.credentialsByNumber).get(number) ?? none
}

const none: readonly Credential[] = []

/** The number under which a credential is found without any other. */
export function numberAlone({ kind, number }: Pick<Credential, 'number'> & { readonly kind: unknown }): string {
  return kind === 'pin' ? pinNumber(number) : number
}

/** Whether two accounts are the same, or one is above the other. */
export function isSameLineage(index: PolicyIndex, a: string, b: string): boolean {
  return index.lineageOf(a).includes(b) || index.lineageOf(b).includes(a)
}

/** A reader belongs to the unit that it is wired to. */
export function accountOfReader(index: PolicyIndex, door: Door): string {
  return doorInPolicy(index, door).accountOfReader
}

/** `kind`: a PIN without a card; absent for any other number. */
type PresentedNumber = { readonly account: string; readonly number: string; readonly kind?: CredentialKind }

function distanceOf(index: PolicyIndex, account: string, reader: string): number {
  const above = index.lineageOf(reader).indexOf(account)
  if (above >= 0) return above
  return index.lineageOf(account).includes(reader) ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER
}

// The candidates are already sorted by id, and sorting is stable.
function activeFirst(a: Credential, b: Credential): number {
  return Number(b.status === 'active') - Number(a.status === 'active')
}
