import { moveAccount, suspendAccount } from '@portcullis/contract/calls/accounts'
import type { Http } from './http.ts'

type Move = { account: string; parent: string; dryRun?: boolean }

/** What is done to accounts below the current one, by their `_id`. */
export function accountsClient(http: Http) {
  const path = (account: string, verb: string) => `/api/accounts/${encodeURIComponent(account)}/${verb}`
  return {
    /** Puts an account below another; with `dryRun` it only answers who would see it then. Throws `refused`, `conflict`. */
    move({ account, ...body }: Move) {
      return http.request({ method: 'POST', path: path(account, 'move'), body, answer: moveAccount.output })
    },
    /** Has roles in an account, and in all below it, count for nothing. */
    suspend(account: string) {
      return http.request({ method: 'POST', path: path(account, 'suspend'), answer: suspendAccount.output })
    },
    restore(account: string) {
      return http.request({ method: 'POST', path: path(account, 'restore'), answer: suspendAccount.output })
    },
  }
}
