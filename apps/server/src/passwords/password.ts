import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's argon2id settings: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Keyboards write the same letter with an accent as one character or as two: what is kept is of the composed form (NFC). */
export function hashPassword(password: string) {
  return hash(password.normalize('NFC'), cost)
}

/** A password that nobody can guess, and that can still be typed. */
export function makePassword() {
  return randomBytes(12).toString('base64url')
}

/** Takes the same time whether there is a hash to compare with or not, so that the time tells nobody who exists. */
export async function isPassword(password: string, storedHash: string | null) {
  decoy ??= hashPassword('nobody has this password')
  const compared = storedHash ?? (await decoy)
  const composed = password.normalize('NFC')
  // Older hashes are of what was typed, however it was composed.
  const isRight = (await verify(compared, composed)) || (composed !== password && (await verify(compared, password)))
  return storedHash !== null && isRight
}

let decoy: Promise<string> | undefined
