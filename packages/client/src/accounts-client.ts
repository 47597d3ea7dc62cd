import { moveAccount, suspendAccount } from '@portcullis/contract/calls/accounts'
import { assumeAccount, endAssumption } from '@portcullis/contract/calls/assume-account'
import { z } from 'zod'
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
    /**
     * Says why a hyper user acts inside an account below the current one, for an hour at most; `assumed` of the client's options
     * then names it. Answers what is open already where it was begun before. Throws `account_refused`.
     */
    assume(account: string, { reason }: { reason: string }) {
      return http.request({
        method: 'POST',
        path: path(account, 'assume'),
        body: { reason },
        answer: assumeAccount.output,
      })
    },
    /** Ends it, as asked from the account `from`; harmless where it has ended. */
    endAssumption(account: string, { from }: { from: string }) {
      return http.request({
        method: 'POST',
        path: path(account, 'assume/end'),
        account: from,
        answer: endAssumption.output,
      })
    },
    /** Gives the current account a picture, or another; `account` is its ref where it is not the current one. */
    setImage(id: string, { file, account }: { file: Blob; account?: string }) {
      const about = account === undefined ? {} : { account }
      return http.request({ method: 'PUT', path: path(id, 'image'), file, answer: z.unknown(), ...about })
    },
    removeImage(id: string, { account }: { account?: string } = {}) {
      const about = account === undefined ? {} : { account }
      return http.request({ method: 'DELETE', path: path(id, 'image'), answer: z.unknown(), ...about })
    },
    restore(account: string) {
      return http.request({ method: 'POST', path: path(account, 'restore'), answer: suspendAccount.output })
    },
  }
}
