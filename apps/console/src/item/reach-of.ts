import type { Collection } from '@portcullis/contract/collection'

/** How far lists of a collection reach: accounts are seen together with all that lie below them, anything else in its account. */
export function reachOf({ roomCovers }: Collection): { allAccounts: 'yes' | 'no' } {
  return { allAccounts: roomCovers === 'subtree' ? 'yes' : 'no' }
}
