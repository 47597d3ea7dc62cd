import { type changeEmail, type changePassword, pendingEmail } from '@portcullis/contract/calls/own-account'
import { z } from 'zod'
import type { Http } from './http.ts'

/** One's own password and e-mail. */
export function ownAccountClient(http: Http) {
  const email = '/api/users/me/email'
  return {
    /** Every other session ends. Throws `wrong_credentials` for the old one, `weak_password` for the new one. */
    changePassword(body: z.input<typeof changePassword.input>) {
      return http.request({ method: 'PUT', path: '/api/users/me/password', body, answer: z.unknown() })
    },
    /** Asks for another e-mail, which both addresses confirm. Throws `fresh_sign_in_needed`. */
    changeEmail(body: z.input<typeof changeEmail.input>) {
      return http.request({ method: 'POST', path: email, body, answer: z.unknown() })
    },
    /** The change of e-mail that waits, or null. */
    pendingEmail() {
      return http.request({ path: email, answer: pendingEmail.output })
    },
    takeBackEmail() {
      return http.request({ method: 'DELETE', path: email, answer: z.unknown() })
    },
  }
}
