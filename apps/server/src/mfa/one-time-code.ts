import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What every authenticator app understands (RFC 6238): SHA-1, six digits, a new code each half minute. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Clocks may be half a minute apart, either way. */
const driftSteps = 1

/** As long as the hash (RFC 4226, section 4). */
export function makeKey() {
  return randomBytes(20)
}

type Asked = { key: Uint8Array; code: string; now: number }

/** The time step whose code this is, if it is one of now, or of the step before or after. */
export function stepOfCode({ key, code, now }: Asked): number | undefined {
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
