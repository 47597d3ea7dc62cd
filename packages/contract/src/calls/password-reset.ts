import { z } from 'zod'
import { login } from './authentication.ts'

/** How long a new password is, in characters; the upper bound is the sign-in's. */
export const passwordLength = { least: 12, most: 1_024 } as const

export function newPassword() {
  const { least, most } = passwordLength
  return z.string().max(most, `At most ${most} characters.`).refine(isLongEnough, `At least ${least} characters.`)
}

/** One that whoever keeps the installation gives to somebody, as long as ADMIN_PASSWORD is at least. */
export function initialPassword() {
  return z
    .string()
    .min(8, 'At least 8 characters.')
    .max(passwordLength.most, `At most ${passwordLength.most} characters.`)
}

/** Counts characters as people do: an emoji of two code units is one. */
export function isLongEnough(password: string) {
  return Array.from(password).length >= passwordLength.least
}

/** `GET /api/users/forgot`: answers 204, whether or not anybody has this e-mail. */
export const forgotPassword = { input: z.strictObject({ email: login.input.shape.email }) }

/** `PUT /api/users/{id}/forgot/{token}`: answers 204; 422 `link_ended` where the link no longer works. */
export const resetPassword = { input: z.strictObject({ password: newPassword() }) }
