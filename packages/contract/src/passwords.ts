import { z } from 'zod'

/** Length of a new password in characters; the maximum is also that of the sign-in form. */
export const passwordLength = { least: 12, most: 1_024 } as const

export function newPassword() {
  const { least, most } = passwordLength
  return z.string().max(most, `At most ${most} characters.`).refine(isLongEnough, `At least ${least} characters.`)
}

/** A password that a hyper user sets for another user: as long as ADMIN_PASSWORD has to be. */
export function initialPassword() {
  return z
    .string()
    .min(8, 'At least 8 characters.')
    .max(passwordLength.most, `At most ${passwordLength.most} characters.`)
}

/** Counts code points, so that an emoji of two code units is one character. */
export function isLongEnough(password: string) {
  return Array.from(password).length >= passwordLength.least
}
