import type { BodyOf } from '@portcullis/contract/call'
import { changeEmail, changePassword, pendingEmail, takeBackEmail } from '@portcullis/contract/calls/own-account'
import { confirmIdentity } from '@portcullis/contract/calls/authentication'
import { endOtherSessions, endOwnSession, ownSessions, ownSignIns } from '@portcullis/contract/calls/own-sessions'
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

/** The password and the email of the current user. */
export function ownAccountClient(http: Http) {
  return {
    /**
     * Ends all other sessions. Throws `wrong_credentials` for the current password, `weak_password` for the new one.
     */
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

/** The second factor of the current user, and of users that they manage. */
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
    /** Stops requiring codes. Throws `mfa_enforced` if an account enforces them. */
    disable() {
      return http.call(disableMfa, {})
    },
    /**
     * Creates ten new recovery codes, shown only here, and revokes the previous ones. Throws `fresh_sign_in_needed`.
     */
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
