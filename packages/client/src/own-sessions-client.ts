import type { BodyOf } from '@portcullis/contract/call'
import { confirmIdentity } from '@portcullis/contract/calls/authentication'
import { endOtherSessions, endOwnSession, ownSessions, ownSignIns } from '@portcullis/contract/calls/own-sessions'
import type { Http } from './http.ts'

/** The sessions of the current user, and the attempts to sign in. */
export function ownSessionsClient(http: Http) {
  return {
    list() {
      return http.call(ownSessions, {})
    },
    end(id: string) {
      return http.call(endOwnSession, { path: { id } })
    },
    endOthers() {
      return http.call(endOtherSessions, {})
    },
    /** The latest attempts to sign in as the current user. */
    signIns() {
      return http.call(ownSignIns, {})
    },
    /** Confirms the password again for calls that need a fresh sign-in. Throws `wrong_credentials` or `wrong_code`. */
    confirm(body: BodyOf<typeof confirmIdentity>) {
      return http.call(confirmIdentity, { body })
    },
  }
}
