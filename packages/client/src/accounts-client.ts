import { moveAccount, suspendAccount } from '@portcullis/contract/calls/accounts'
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
