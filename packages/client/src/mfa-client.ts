import { accounts } from '@portcullis/contract/collections/accounts'
import { mfaEnrol, mfaSetUp, mfaSignIn, recoveryCodes } from '@portcullis/contract/calls/mfa'
import { z } from 'zod'
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
    /** Has codes asked for at one's own sign-in. Throws `fresh_sign_in_needed`. */
    enable() {
      return http.request({ method: 'POST', path: '/api/users/enablemfa', answer: z.unknown() })
    },
    /** Has codes no longer asked for. Throws `refused` where an account enforces them. */
    disable() {
      return http.request({ method: 'POST', path: '/api/users/disablemfa', answer: z.unknown() })
    },
    /** Ten new recovery codes instead of the old ones, shown this once. Throws `fresh_sign_in_needed`. */
    renewRecoveryCodes() {
      return http.request({ method: 'POST', path: '/api/users/recoveryCodes', answer: recoveryCodes.output })
    },
    /** Forgets another's authenticator. */
    reset(user: string) {
      const path = `/api/users/${encodeURIComponent(user)}/mfaReset`
      return http.request({ method: 'POST', path, answer: z.unknown() })
    },
    /** Asks everybody of an account, and of those below it, for codes, or no longer. */
    enforce({ account, enforce }: { account: string; enforce: boolean }) {
      const path = `/api/accounts/${encodeURIComponent(account)}/enforceMFA`
      return http.request({ method: 'POST', path, body: { enforce }, answer: accounts.entitySchema })
    },
  }
}
