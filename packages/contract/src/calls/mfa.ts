import { z } from 'zod'
import { login } from './authentication.ts'

/** A one-time code: six digits (specification §5). */
export const oneTimeCode = z.string().regex(/^\d{6}$/, 'Please enter a valid OTP.')

/** One of the ten codes for the day on which the telephone is lost, such as `k7m2-x9qd-4rwt`; dashes and case don't count. */
export const recoveryCode = z.string().trim().min(12).max(20)

/**
 * `POST /api/auth/mfa`: completes a sign-in that owes a code, with one from the authenticator or a recovery code.
 * 403 `wrong_code`; a code is accepted once.
 */
export const mfaSignIn = {
  input: z.union([z.strictObject({ code: oneTimeCode }), z.strictObject({ recoveryCode })]),
  output: login.output,
}

/** `GET /api/users/mfasetup`: a new key to scan (`qrImage` is a data URL of an image) or to type (`key`, base32 in groups of four). */
export const mfaSetUp = { output: z.object({ qrImage: z.string(), key: z.string() }) }

/**
 * `POST /api/users/mfasetup`: enrols with a code of the new key, which may serve once more for the sign-in that follows.
 * Answers the recovery codes, shown this once. 403 `wrong_code`.
 */
export const mfaEnrol = {
  input: z.strictObject({ code: oneTimeCode }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
}

/**
 * `POST /api/users/enablemfa`, `POST /api/users/disablemfa`: asks for codes, or no longer, at one's own sign-in, with the key
 * that is enrolled. Answer 204; 403 `fresh_sign_in_needed`; 422 `refused` where nothing is enrolled or an account enforces it.
 * `POST /api/users/{id}/mfaReset`: forgets another's authenticator, for who may manage MFA; 204.
 * `POST /api/users/recoveryCodes`: ten new ones instead of the old; needs a fresh sign-in.
 */
export const recoveryCodes = { output: z.object({ recoveryCodes: z.array(z.string()) }) }

/** `POST /api/accounts/{id}/enforceMFA` */
export const enforceMfa = { input: z.strictObject({ enforce: z.boolean() }) }
