import {
  countRecertifyable,
  type RecertifyableQuery,
  type RecertifyDecision,
  recertify,
  recertifyable,
} from '@portcullis/contract/calls/recertification'
import type { Http } from './http.ts'

type Deciding = { decision?: RecertifyDecision; onRecorded?: (entry: string) => void }

/** Whose access has to be confirmed, and the decision about each. */
export function recertificationClient(http: Http) {
  const path = '/api/users/recertifyable'
  return {
    /** The most urgent first, unless another order is asked for. */
    list(query: RecertifyableQuery = {}, options: { signal?: AbortSignal } = {}) {
      return http.request({ path, query: parametersOf(query), answer: recertifyable.output, ...options })
    },
    count(query: Pick<RecertifyableQuery, 'due' | 'days' | 'search'> = {}, options: { signal?: AbortSignal } = {}) {
      const asked = { path: `${path}/count`, query: parametersOf(query), answer: countRecertifyable.output }
      return http.request({ ...asked, ...options })
    },
    /** They keep their access for another period, or are suspended. Throws `refused` for oneself. */
    decide(user: string, { decision = 'keep', onRecorded }: Deciding = {}) {
      return http.request({
        method: 'PATCH',
        path: `/api/users/recertify/${encodeURIComponent(user)}`,
        body: { decision },
        answer: recertify.output,
        onRecorded,
      })
    },
  }
}

function parametersOf({ due, days, search, sort, page, size }: RecertifyableQuery) {
  return {
    due,
    days: days?.toString(),
    search: search || undefined,
    sort: sort && JSON.stringify(sort),
    page: page?.toString(),
    size: size?.toString(),
  }
}
