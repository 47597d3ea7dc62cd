import {
  type AccessExport,
  type AccessQuery,
  type AccessQuestion,
  decideAccess,
  doorAccess,
  exportDoorAccess,
  exportUserAccess,
  userAccess,
} from '@portcullis/contract/calls/explorer'
import { userLeftOut } from '@portcullis/contract/calls/left-out'
import { whyThen } from '@portcullis/contract/calls/why-then'
import type { Http } from './http.ts'

type Reading = { signal?: AbortSignal }

/** Questions about the policy, now and at the time of an event. They cover the account and those below it, and change nothing. */
export function explorerClient(http: Http) {
  const allAccounts = 'yes' as const
  return {
    /** The users who can open a door, with the rules and the times. */
    doorAccess(id: string, query: AccessQuery = {}, options: Reading = {}) {
      return http.call(doorAccess, { path: { id }, query: queryOf(query), allAccounts, ...options })
    },
    /** The doors that a user can open. */
    userAccess(id: string, query: AccessQuery = {}, options: Reading = {}) {
      return http.call(userAccess, { path: { id }, query: queryOf(query), allAccounts, ...options })
    },
    /** The controllers with no room for some of the user's credentials. */
    userLeftOut(id: string, options: Reading = {}) {
      return http.call(userLeftOut, { path: { id }, allAccounts, ...options })
    },
    exportDoorAccess(id: string, body: AccessExport, options: Reading = {}) {
      return http.downloadCall(exportDoorAccess, { path: { id }, body, allAccounts, ...options })
    },
    exportUserAccess(id: string, body: AccessExport, options: Reading = {}) {
      return http.downloadCall(exportUserAccess, { path: { id }, body, allAccounts, ...options })
    },
    /** Whether a door would open, check by check, and what would have to change. */
    decide(body: AccessQuestion, options: Reading = {}) {
      return http.call(decideAccess, { body, allAccounts, ...options })
    },
    /** The decision of a past event with the policy of that time, and what has changed since. */
    whyThen(event: string, options: Reading = {}) {
      return http.call(whyThen, { path: { id: event }, allAccounts, ...options })
    },
  }
}

function queryOf({ search, ...query }: AccessQuery) {
  return { ...query, search: search || undefined }
}
