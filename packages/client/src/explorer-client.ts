import {
  type AccessExport,
  type AccessQuery,
  type AccessQuestion,
  decideAccess,
  doorAccess,
  userAccess,
} from '@portcullis/contract/calls/explorer'
import type { Http } from './http.ts'

type Reading = { signal?: AbortSignal }

/** Questions to the policy in force; they cover the account and those below it, and change nothing. */
export function explorerClient(http: Http) {
  const allAccounts = 'yes' as const
  return {
    /** Who can open this door, by which rules, when. */
    doorAccess(id: string, query: AccessQuery = {}, options: Reading = {}) {
      const path = `/api/doors/${id}/access`
      return http.request({ path, query: parametersOf(query), answer: doorAccess.output, allAccounts, ...options })
    },
    /** What this person can open. */
    userAccess(id: string, query: AccessQuery = {}, options: Reading = {}) {
      const path = `/api/users/${id}/access`
      return http.request({ path, query: parametersOf(query), answer: userAccess.output, allAccounts, ...options })
    },
    exportDoorAccess(id: string, body: AccessExport, options: Reading = {}) {
      return http.download({ method: 'POST', path: `/api/doors/${id}/access/export`, body, allAccounts, ...options })
    },
    exportUserAccess(id: string, body: AccessExport, options: Reading = {}) {
      return http.download({ method: 'POST', path: `/api/users/${id}/access/export`, body, allAccounts, ...options })
    },
    /** Whether a door would open, check by check, and what would have to change. */
    decide(body: AccessQuestion, options: Reading = {}) {
      const path = '/api/explorer/decide'
      return http.request({ method: 'POST', path, body, answer: decideAccess.output, allAccounts, ...options })
    },
  }
}

function parametersOf({ search, can, at, page, size }: AccessQuery) {
  return { search: search || undefined, can, at, page: page?.toString(), size: size?.toString() }
}
