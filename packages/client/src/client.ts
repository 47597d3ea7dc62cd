import type { Collection } from '@portcullis/contract/collection'
import { accountNode, activity, login, me } from '@portcullis/contract/calls/authentication'
import { type patchMe, verified } from '@portcullis/contract/calls/own-account'
import type { resetPassword } from '@portcullis/contract/calls/password-reset'
import { outbox } from '@portcullis/contract/calls/outbox'
import { configuration } from '@portcullis/contract/calls/configuration'
import type { DoorModeRequest } from '@portcullis/contract/calls/door-modes'
import { doorCommand, unitEnrolment } from '@portcullis/contract/calls/units'
import { doors } from '@portcullis/contract/collections/doors'
import { z } from 'zod'
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

/** Everything that the server can be asked, typed from the contract. */
export function createClient(options: HttpOptions) {
  const http = createHttp(options)
  return {
    http,
    of<C extends Collection>(collection: C) {
      return collectionClient(http, collection)
    },
    /** Wants a mode of a door: `setDoorMode(id, { mode: 'unlocked', until })`; its controller confirms afterwards. */
    setDoorMode(door: string, wanted: DoorModeRequest) {
      return http.request({ method: 'PUT', path: `/api/doors/${door}/mode`, body: wanted, answer: doors.entitySchema })
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
      return http.request({ path: '/config', answer: configuration })
    },
    login(credentials: z.input<typeof login.input>) {
      return http.request({ method: 'POST', path: '/api/auth/login', body: credentials, answer: login.output })
    },
    logout() {
      return http.request({ method: 'POST', path: '/api/auth/logout', answer: z.unknown() })
    },
    /** Says that the person moves, types or touches; answers when the session ends without more of it. */
    activity() {
      return http.request({ method: 'POST', path: '/api/auth/activity', answer: activity.output })
    },
    /** Changes one's own name, or accepts policies. */
    patchMe(body: z.input<typeof patchMe.input>) {
      return http.request({ method: 'PATCH', path: '/api/users/me', body, answer: me })
    },
    /** Has the mail sent that confirms an e-mail. */
    resendVerification(user: string) {
      const path = `/api/users/${encodeURIComponent(user)}/resendVerificationToken`
      return http.request({ method: 'POST', path, answer: z.unknown() })
    },
    /** Confirms an e-mail by a link of a mail. Throws `link_ended` where the link no longer works. */
    verifyEmail({ user, token }: { user: string; token: string }) {
      const path = `/api/users/${encodeURIComponent(user)}/verify/${encodeURIComponent(token)}`
      return http.request({ path, answer: verified.output })
    },
    /** Has a link sent that sets a new password; the answer is the same whether or not anybody has this e-mail. */
    forgotPassword(email: string) {
      return http.request({ path: '/api/users/forgot', query: { email }, answer: z.unknown() })
    },
    /** Sets a new password by a link of a mail. Throws `link_ended` where the link no longer works. */
    resetPassword({ user, token, ...body }: { user: string; token: string } & z.input<typeof resetPassword.input>) {
      const path = `/api/users/${encodeURIComponent(user)}/forgot/${encodeURIComponent(token)}`
      return http.request({ method: 'PUT', path, body, answer: z.unknown() })
    },
    /** Who is signed in and what they may do in the account: the current one unless another is named, or one inside that. */
    me(account?: string | null, { inside }: { inside?: string } = {}) {
      return http.request({
        path: '/api/users/me',
        answer: me,
        ...(account === undefined ? {} : { account }),
        ...(inside === undefined ? {} : { inside }),
      })
    },
    /** The accounts that one may see, nested. */
    hierarchy() {
      return http.request({ path: '/api/accounts/hierarchy', answer: z.array(accountNode) })
    },
    /** What became of the last mails; for hyper users only. */
    outbox() {
      return http.request({ path: '/api/outbox', answer: outbox.output })
    },
    enrolUnit(unit: string) {
      return http.request({ method: 'POST', path: `/api/units/${unit}/enrolment`, answer: unitEnrolment })
    },
    unlockOnce(door: string) {
      return http.request({ method: 'POST', path: `/api/doors/${door}/unlockOnce`, answer: doorCommand })
    },
    doorCommand(id: string) {
      return http.request({ path: `/api/doors/commands/${id}`, answer: doorCommand })
    },
  }
}
