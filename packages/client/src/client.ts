import type { BodyOf } from '@portcullis/contract/call'
import { accountHierarchy, activity, login, logout, whoAmI } from '@portcullis/contract/calls/authentication'
import { readConfiguration } from '@portcullis/contract/calls/configuration'
import { type DoorModeRequest, setDoorMode } from '@portcullis/contract/calls/door-modes'
import { outbox } from '@portcullis/contract/calls/outbox'
import { patchMe, resendVerification, verifyEmail } from '@portcullis/contract/calls/own-account'
import { forgotPassword, resetPassword } from '@portcullis/contract/calls/password-reset'
import { enrolUnit, readDoorCommand, unlockOnce } from '@portcullis/contract/calls/units'
import type { Collection } from '@portcullis/contract/collection'
import { accountsClient } from './accounts-client.ts'
import { collectionClient } from './collection-client.ts'
import { historyClient } from './history-client.ts'
import { mfaClient } from './mfa-client.ts'
import { ownAccountClient } from './own-account-client.ts'
import { ownSessionsClient } from './own-sessions-client.ts'
import { explorerClient } from './explorer-client.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { recertificationClient } from './recertification-client.ts'
import { remoteAccessClient } from './remote-access-client.ts'
import { savedViewsClient } from './saved-views-client.ts'

export type Client = ReturnType<typeof createClient>

/** The whole API, typed from the contract. */
export function createClient(options: HttpOptions) {
  const http = createHttp(options)
  return {
    http,
    of<C extends Collection>(collection: C) {
      return collectionClient(http, collection)
    },
    remoteAccess: remoteAccessClient(http),
    recertification: recertificationClient(http),
    accounts: accountsClient(http),
    savedViews: savedViewsClient(http),
    explorer: explorerClient(http),
    history: historyClient(http),
    mfa: mfaClient(http),
    ownAccount: ownAccountClient(http),
    sessions: ownSessionsClient(http),
    configuration() {
      return http.call(readConfiguration, {})
    },
    login(body: BodyOf<typeof login>) {
      return http.call(login, { body })
    },
    logout() {
      return http.call(logout, {})
    },
    /** Reports that the user moves, types or touches. Returns when the session ends unless there is more activity. */
    activity() {
      return http.call(activity, {})
    },
    /** Changes the current user's name, or accepts policies. */
    patchMe(body: BodyOf<typeof patchMe>) {
      return http.call(patchMe, { body })
    },
    /** Sends the email that confirms an email address. */
    resendVerification(user: string) {
      return http.call(resendVerification, { path: { id: user } })
    },
    /** Confirms an email address with the link from an email. Throws `link_ended` if the link no longer works. */
    verifyEmail({ user, token }: { user: string; token: string }) {
      return http.call(verifyEmail, { path: { id: user, token } })
    },
    /** Sends a link to set a new password. The answer is the same whether or not a user has this email. */
    forgotPassword(email: string) {
      return http.call(forgotPassword, { query: { email } })
    },
    /** Sets a new password with the link from an email. Throws `link_ended` if the link no longer works. */
    resetPassword({ user, token, ...body }: { user: string; token: string } & BodyOf<typeof resetPassword>) {
      return http.call(resetPassword, { path: { id: user, token }, body })
    },
    /** The current user and their rights in the current account, in another one, or in one inside that. */
    me(account?: string | null, { inside }: { inside?: string } = {}) {
      return http.call(whoAmI, {
        ...(account === undefined ? {} : { account }),
        ...(inside === undefined ? {} : { inside }),
      })
    },
    /** The accounts that the current user can see as a tree. */
    hierarchy() {
      return http.call(accountHierarchy, {})
    },
    /** The latest emails and their status, for hyper users. */
    outbox() {
      return http.call(outbox, {})
    },
    enrolUnit(unit: string) {
      return http.call(enrolUnit, { path: { id: unit } })
    },
    /** Sets the desired mode of a door: `setDoorMode(id, { mode: 'unlocked', until })`. Its controller confirms it later. */
    setDoorMode(door: string, body: DoorModeRequest) {
      return http.call(setDoorMode, { path: { id: door }, body })
    },
    unlockOnce(door: string) {
      return http.call(unlockOnce, { path: { id: door } })
    },
    doorCommand(id: string) {
      return http.call(readDoorCommand, { path: { id } })
    },
  }
}
