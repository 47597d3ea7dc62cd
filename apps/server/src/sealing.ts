import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const bytes = { nonce: 12, tag: 16, key: 32 } as const

export type Sealing = ReturnType<typeof sealingFrom>

/**
 * Encrypts values at rest with a key for one purpose, derived from the installation's secret. Each value is bound to its
 * row, so a copy in another row cannot be read.
 */
export function sealingFrom(secretKey: Uint8Array, use: string) {
  const key = deriveKey(secretKey, use)
  return {
    seal(value: Uint8Array, about: string) {
      const nonce = randomBytes(bytes.nonce)
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about))
      return Buffer.concat([nonce, sealing.update(value), sealing.final(), sealing.getAuthTag()])
    },
    /** Throws if the value was encrypted with another key or about something else. */
    open(sealed: Buffer, about: string) {
      const [nonce, tag] = [sealed.subarray(0, bytes.nonce), sealed.subarray(-bytes.tag)]
      const opening = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([opening.update(sealed.subarray(bytes.nonce, -bytes.tag)), opening.final()])
    },
  }
}

/** A key for one use. It reveals no other key, and not the installation's secret. */
export function deriveKey(secretKey: Uint8Array, use: string) {
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), use, bytes.key))
}
