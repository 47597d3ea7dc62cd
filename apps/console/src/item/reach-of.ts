import type { Collection } from '@portcullis/contract/collection'
import { coversSubtree } from '@portcullis/contract/collections/accounts'

/** How far lists of a collection reach: accounts are seen together with all that lie below them, anything else in its account. */
export function reachOf(collection: Collection): { allAccounts: 'yes' | 'no' } {
  return { allAccounts: coversSubtree(collection) ? 'yes' : 'no' }
}
