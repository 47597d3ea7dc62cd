import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'

/** The query of the active lockdowns of an account. */
export function activeLockdowns(accountRef: string) {
  return {
    queryKey: [...collectionKey(lockdowns, accountRef), 'active'],
    queryFn: ({ signal }: { signal: AbortSignal }) => client.activeLockdowns({ signal }),
  }
}
