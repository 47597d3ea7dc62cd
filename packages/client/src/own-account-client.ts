import type { BodyOf } from '@portcullis/contract/call'
import { changeEmail, changePassword, pendingEmail, takeBackEmail } from '@portcullis/contract/calls/own-account'
import type { Http } from './http.ts'

/** The password and the email of the current user. */
export function ownAccountClient(http: Http) {
  return {
    /** Ends all other sessions. Throws `wrong_credentials` for the current password, `weak_password` for the new one. */
    changePassword(body: BodyOf<typeof changePassword>) {
      return http.call(changePassword, { path: { id: 'me' }, body })
    },
    /** Requests a change of email, which both addresses confirm. Throws `fresh_sign_in_needed`. */
    changeEmail(body: BodyOf<typeof changeEmail>) {
      return http.call(changeEmail, { body })
    },
    /** The pending change of email, or null. */
    pendingEmail() {
      return http.call(pendingEmail, {})
    },
    takeBackEmail() {
      return http.call(takeBackEmail, {})
    },
  }
}
