import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** Every authenticator app supports this (RFC 6238): SHA-1, 6 digits, a new code every 30 seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Clocks may be 30 seconds apart in either direction. */
const driftSteps = 1

/** As long as the hash (RFC 4226, section 4). */
export function makeKey() {
  return randomBytes(20)
}

type StepOfCodeInput = { key: Uint8Array; code: string; now: number }

/** The time step of this code, if it is the current, previous or next one. */
export function stepOfCode({ key, code, now }: StepOfCodeInput): number | undefined {
  const delta = TOTP.validate({ ...form, secret: secretOf(key), token: code, timestamp: now, window: driftSteps })
  return delta === null ? undefined : TOTP.counter({ period: form.period, timestamp: now }) + delta
}

/** The key as people type it, in groups of four. */
export function keyText(key: Uint8Array) {
  return secretOf(key).base32.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** The key as authenticator apps scan it, with the name under which they list it. */
export function keyUri({ key, issuer, email }: { key: Uint8Array; issuer: string; email: string }) {
  return new TOTP({ ...form, secret: secretOf(key), issuer, label: email }).toString()
}

function secretOf(key: Uint8Array) {
  return Secret.fromHex(Buffer.from(key).toString('hex'))
}
