import {
  accountImage,
  moveAccount,
  removeAccountImage,
  restoreAccount,
  setAccountImage,
  suspendAccount,
} from '@portcullis/contract/calls/accounts'
import { assumeAccount, endAssumption } from '@portcullis/contract/calls/assume-account'
import type { Http } from './http.ts'

type Move = { account: string; parent: string; dryRun?: boolean }

/** Changes to accounts below the current one, by their `_id`. */
export function accountsClient(http: Http) {
  return {
    /**
     * Moves an account below another one; with `dryRun`, only returns the users whose access would change. Throws
     * `account_below_itself`, `account_is_current`, `accounts_changed`.
     */
    move({ account, ...body }: Move) {
      return http.call(moveAccount, { path: { id: account }, body })
    },
    /** Suspends roles held in an account and in those below it. */
    suspend(account: string) {
      return http.call(suspendAccount, { path: { id: account } })
    },
    restore(account: string) {
      return http.call(restoreAccount, { path: { id: account } })
    },
    /**
     * Lets a hyper user act inside an account below the current one for at most an hour, with a reason; the client's
     * option `assumed` then names it. Returns the assumption that is open already, if there is one. Throws
     * `account_refused`.
     */
    assume(account: string, { reason }: { reason: string }) {
      return http.call(assumeAccount, { path: { id: account }, body: { reason } })
    },
    /** Ends an assumption that started in the account `from`. Does nothing if it has ended. */
    endAssumption(account: string, { from }: { from: string }) {
      return http.call(endAssumption, { path: { id: account }, account: from })
    },
    /** The picture of the account with this ref. Throws `not_found` if it has none. */
    async image(ref: string, options: { signal?: AbortSignal } = {}) {
      const { response } = await http.downloadCall(accountImage, { path: { id: ref }, ...options })
      return response.blob()
    },
    /** Sets the picture of the current account, or of the account with the ref `account`. */
    setImage(id: string, { file, account }: { file: Blob; account?: string }) {
      return http.call(setAccountImage, { path: { id }, file, ...inAccount(account) })
    },
    removeImage(id: string, { account }: { account?: string } = {}) {
      return http.call(removeAccountImage, { path: { id }, ...inAccount(account) })
    },
  }
}

function inAccount(account: string | undefined) {
  return account === undefined ? {} : { account }
}
