import { asOf, undone } from '@portcullis/contract/calls/audit-logs'
import type { Collection } from '@portcullis/contract/collection'
import type { Http } from './http.ts'

/** What has been changed: taken back, and asked for as it was. */
export function historyClient(http: Http) {
  const path = '/api/auditLogs'
  return {
    /**
     * Takes one change back; `entry` is what `onRecorded` was given by the change, or the `_id` of an entry of `auditLogs`.
     * Throws `conflict` where something was changed again since.
     */
    undo(entry: string) {
      return http.request({ method: 'POST', path: `${path}/${entry}/undo`, answer: undone })
    },
    /** An item as it was at a moment, also one that is gone. Throws `not_found` where it was not there. */
    asOf(collection: Collection, id: string, { at, ...options }: { at: string } & Reading) {
      return http.request({
        path: `${path}/asOf/${collection.name}/${id}`,
        query: { at },
        answer: asOf.output,
        ...options,
      })
    },
  }
}

type Reading = { allAccounts?: 'yes' | 'no'; signal?: AbortSignal }
