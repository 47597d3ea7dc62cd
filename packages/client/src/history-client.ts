import { asOf, undoChange } from '@portcullis/contract/calls/audit-logs'
import type { Collection } from '@portcullis/contract/collection'
import type { Http } from './http.ts'

/** Undoes changes, and reads items as they were. */
export function historyClient(http: Http) {
  return {
    /**
     * Undoes one change; `entry` is the `_id` of its audit log entry, which `onRecorded` gets. Throws `conflict` if the item has
     * changed again since.
     */
    undo(entry: string) {
      return http.call(undoChange, { path: { id: entry } })
    },
    /** An item as it was at a point in time, even if it has been deleted since. Throws `not_found` if it did not exist. */
    asOf(collection: Collection, id: string, { at, ...options }: { at: string } & Reading) {
      return http.call(asOf, { path: { collection: collection.name, id }, query: { at }, ...options })
    },
  }
}

type Reading = { allAccounts?: 'yes' | 'no'; signal?: AbortSignal }
