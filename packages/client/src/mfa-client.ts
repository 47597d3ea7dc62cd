import type { BodyOf } from '@portcullis/contract/call'
import {
  disableMfa,
  enableMfa,
  enforceMfa,
  mfaEnrol,
  mfaSetUp,
  mfaSignIn,
  renewRecoveryCodes,
  resetMfa,
} from '@portcullis/contract/calls/mfa'
import type { Http } from './http.ts'

/** The second factor of the current user, and of users whom they manage. */
export function mfaClient(http: Http) {
  return {
    /** Completes a sign-in with a one-time code. Throws `wrong_code`. */
    signIn(body: BodyOf<typeof mfaSignIn>) {
      return http.call(mfaSignIn, { body })
    },
    /** Creates a key for an authenticator app, which `enrol` activates. */
    setUp() {
      return http.call(mfaSetUp, {})
    },
    /** Enrols with a code of the new key. Returns the recovery codes, shown only here. Throws `wrong_code`. */
    enrol(code: string) {
      return http.call(mfaEnrol, { body: { code } })
    },
    /** Requires codes when the current user signs in. Throws `fresh_sign_in_needed`. */
    enable() {
      return http.call(enableMfa, {})
    },
    /** Stops requiring codes. Throws `refused` if an account enforces them. */
    disable() {
      return http.call(disableMfa, {})
    },
    /** Creates ten new recovery codes, shown only here, and revokes the previous ones. Throws `fresh_sign_in_needed`. */
    renewRecoveryCodes() {
      return http.call(renewRecoveryCodes, {})
    },
    /** Removes a user's authenticator app. */
    reset(user: string) {
      return http.call(resetMfa, { path: { id: user } })
    },
    /** Requires codes from all users of an account and of those below it, or stops requiring them. */
    enforce({ account, enforce }: { account: string; enforce: boolean }) {
      return http.call(enforceMfa, { path: { id: account }, body: { enforce } })
    },
  }
}
