import { z } from 'zod'
import { fieldCode } from './errors/field-codes.ts'

/** Length of a new password in characters; the maximum is also that of the sign-in form. */
export const passwordLength = { least: 12, most: 1_024 } as const

export function newPassword() {
  const { least, most } = passwordLength
  return z
    .string()
    .max(most)
    .refine(isLongEnough, { error: fieldCode('too_short'), params: { minimum: least } })
}

/** A password that a hyper user sets for another user: as long as ADMIN_PASSWORD has to be. */
export function initialPassword() {
  return z.string().min(8).max(passwordLength.most)
}

/** Counts code points, so that an emoji of two code units is one character. */
export function isLongEnough(password: string) {
  return Array.from(password).length >= passwordLength.least
}
