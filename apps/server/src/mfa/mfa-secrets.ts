import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type MfaSecrets = ReturnType<typeof mfaSecretsFrom>

const cipher = 'aes-256-gcm'
const bytes = { nonce: 12, tag: 16, key: 32 } as const

/**
 * Protects second factors at rest with keys derived from the installation's secret: the database alone reveals no
 * authenticator key and does not allow recovery codes to be guessed. Every value is bound to its user, so a row copied
 * to another user is useless.
 */
export function mfaSecretsFrom(secretKey: Uint8Array) {
  const sealing = derived('portcullis authenticator keys')
  const hashing = derived('portcullis recovery codes')

  return {
    sealKey(key: Uint8Array, person: string) {
      const nonce = randomBytes(bytes.nonce)
      const sealing = cipherWith(nonce, person)
      return Buffer.concat([nonce, sealing.update(key), sealing.final(), sealing.getAuthTag()])
    },
    openKey(sealed: Buffer, person: string) {
      const [nonce, tag] = [sealed.subarray(0, bytes.nonce), sealed.subarray(-bytes.tag)]
      const opening = createDecipheriv(cipher, sealing, nonce).setAAD(Buffer.from(person)).setAuthTag(tag)
      try {
        return Buffer.concat([opening.update(sealed.subarray(bytes.nonce, -bytes.tag)), opening.final()])
      } catch (cause) {
        throw new Error('Cannot decrypt an authenticator key: it was encrypted with a different SECRET_KEY_FILE.', {
          cause,
        })
      }
    },
    hashRecoveryCode(code: string, person: string) {
      return createHmac('sha256', hashing).update(`${person} ${code}`).digest()
    },
  }

  function cipherWith(nonce: Buffer, person: string) {
    return createCipheriv(cipher, sealing, nonce).setAAD(Buffer.from(person))
  }

  function derived(use: string) {
    return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), use, bytes.key))
  }
}
