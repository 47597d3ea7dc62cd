import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Turns } from '../limits/turns.ts'

/** OWASP's argon2id settings: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Leaves one core for other work. */
const turns = new Turns({ most: Math.max(1, availableParallelism() - 1), waiting: 500 })

/** Keyboards may compose an accented letter of one or two characters, so the hash is of the composed form (NFC). */
export function hashPassword(password: string) {
  return turns.take('hash', () => hash(password.normalize('NFC'), cost))
}

/** A random password that is short enough to type. */
export function makePassword() {
  return randomBytes(12).toString('base64url')
}

/** Takes the same time with and without a stored hash, so that the duration does not reveal which users exist. */
export async function isPassword(password: string, storedHash: string | null) {
  decoy ??= hash('decoy password', cost)
  const compared = storedHash ?? (await decoy)
  const composed = password.normalize('NFC')
  // Older hashes are of the typed form, composed or not.
  const check = (typed: string) => turns.take('hash', () => verify(compared, typed))
  const isRight = (await check(composed)) || (composed !== password && (await check(password)))
  return storedHash !== null && isRight
}

let decoy: Promise<string> | undefined
