import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's argon2id settings: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string) {
  return hash(password, cost)
}

/** A password that nobody can guess, and that can still be typed. */
export function makePassword() {
  return randomBytes(12).toString('base64url')
}

/** Takes the same time whether there is a hash to compare with or not, so that the time tells nobody who exists. */
export async function isPassword(password: string, storedHash: string | null) {
  decoy ??= hashPassword('nobody has this password')
  const isRight = await verify(storedHash ?? (await decoy), password)
  return storedHash !== null && isRight
}

let decoy: Promise<string> | undefined
