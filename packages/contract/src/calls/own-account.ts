import { z } from 'zod'
import { name } from '../names.ts'
import { login } from './authentication.ts'
import { newPassword } from '../passwords.ts'

/**
 * `PATCH /api/users/me`: one's own name, and consent: the policies that are named are accepted now, whatever the date
 * that is sent. Answers like `GET /api/users/me`.
 */
export const patchMe = {
  input: z
    .strictObject({
      name: name(),
      consent: z
        .strictObject({
          eula: z.iso.datetime(),
          privacy: z.iso.datetime(),
          terms: z.iso.datetime(),
          disclaimer: z.iso.datetime(),
        })
        .partial(),
    })
    .partial(),
}

/**
 * `PUT /api/users/{id}/password`: one's own; 204. 403 `wrong_credentials` for the old one, 422 `weak_password` with what
 * would make it stronger. Every other session of the person ends.
 */
export const changePassword = {
  input: z.strictObject({ oldPassword: z.string().min(1).max(1_024), newPassword: newPassword() }),
}

/**
 * `POST /api/users/me/email`: asks for another e-mail; 204. A mail goes to both addresses, and the change is made when both
 * have confirmed. 403 `fresh_sign_in_needed`. That somebody else has the address is not told.
 * `GET /api/users/me/email`: the change that waits, or null. `DELETE /api/users/me/email`: takes it back.
 */
export const changeEmail = { input: z.strictObject({ email: login.input.shape.email }) }
export const pendingEmail = {
  output: z
    .object({
      email: z.string(),
      oldConfirmed: z.boolean(),
      newConfirmed: z.boolean(),
      expiresAt: z.iso.datetime(),
    })
    .nullable(),
}

/**
 * `GET /api/users/{id}/verify` and `POST /api/users/{id}/resendVerificationToken`: send the mail that confirms the e-mail,
 * to oneself or, for who may manage Users, to another; 204.
 * `GET /api/users/{id}/verify/{token}`: confirms it (or one side of a change of e-mail); 422 `link_ended`.
 */
export const verified = {
  output: z.object({ outcome: z.enum(['verified', 'change_waits_for_other_address', 'changed']) }),
}

/** `GET /api/users/me/sessions`: where one is signed in, the newest first. `DELETE /api/users/me/sessions/{id}`: ends one; 204. */
export const ownSession = z.object({
  _id: z.uuid(),
  current: z.boolean(),
  address: z.string().nullable(),
  device: z.string().nullable(),
  signedInAt: z.iso.datetime(),
  lastActivityAt: z.iso.datetime(),
})
export type OwnSession = z.output<typeof ownSession>
export const ownSessions = { output: z.array(ownSession) }

/** `POST /api/users/me/sessions/endOthers`: answers how many ended. */
export const endOtherSessions = { output: z.object({ ended: z.int() }) }

/** `GET /api/users/me/signIns`: the last hundred tries to sign in as oneself, the newest first. */
export const ownSignIn = z.object({
  at: z.iso.datetime(),
  outcome: z.enum(['signed_in', 'wrong_password', 'wrong_code', 'locked_out']),
  address: z.string().nullable(),
  device: z.string().nullable(),
})
export type OwnSignIn = z.output<typeof ownSignIn>
export const ownSignIns = { output: z.array(ownSignIn) }
