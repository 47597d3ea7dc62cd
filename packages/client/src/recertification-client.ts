import {
  countRecertifyable,
  recertify,
  recertifyable,
  type RecertifyableQuery,
  type RecertifyDecision,
} from '@portcullis/contract/calls/recertification'
import type { Http } from './http.ts'

type Deciding = { decision?: RecertifyDecision; onRecorded?: (entry: string) => void }

/** The users whose access needs regular confirmation, and the decision about each. */
export function recertificationClient(http: Http) {
  return {
    /** The most urgent first by default. */
    list(query: RecertifyableQuery = {}, options: { signal?: AbortSignal } = {}) {
      return http.call(recertifyable, { query: queryOf(query), ...options })
    },
    count(query: Pick<RecertifyableQuery, 'due' | 'days' | 'search'> = {}, options: { signal?: AbortSignal } = {}) {
      return http.call(countRecertifyable, { query: queryOf(query), ...options })
    },
    /** Keeps the user's access for another period, or suspends the user. Throws `own_access` for the current user. */
    decide(user: string, { decision = 'keep', onRecorded }: Deciding = {}) {
      return http.call(recertify, { path: { id: user }, body: { decision }, onRecorded })
    },
  }
}

function queryOf({ search, sort, ...query }: RecertifyableQuery) {
  return { ...query, search: search || undefined, sort: sort && JSON.stringify(sort) }
}
