import { mfaEnrol, mfaSetUp, mfaSignIn } from '@portcullis/contract/calls/mfa'
import type { z } from 'zod'
import type { Http } from './http.ts'

/** The second factor of whoever is signed in, or is about to be. */
export function mfaClient(http: Http) {
  return {
    /** Completes a sign-in that owes a code. Throws `wrong_code`. */
    signIn(body: z.input<typeof mfaSignIn.input>) {
      return http.request({ method: 'POST', path: '/api/auth/mfa', body, answer: mfaSignIn.output })
    },
    /** A new key for an authenticator, which `enrol` puts in force. */
    setUp() {
      return http.request({ path: '/api/users/mfasetup', answer: mfaSetUp.output })
    },
    /** Enrols with a code of the new key; answers the recovery codes, shown this once. Throws `wrong_code`. */
    enrol(code: string) {
      return http.request({ method: 'POST', path: '/api/users/mfasetup', body: { code }, answer: mfaEnrol.output })
    },
  }
}
