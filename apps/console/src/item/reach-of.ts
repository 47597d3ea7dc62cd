import type { Collection } from '@portcullis/contract/collection'
import { coversSubtree } from '@portcullis/contract/collections/accounts'

/** The reach of a collection's lists: accounts are shown with all accounts below them, other items in their own account. */
export function reachOf(collection: Collection): { allAccounts: 'yes' | 'no' } {
  return { allAccounts: coversSubtree(collection) ? 'yes' : 'no' }
}
