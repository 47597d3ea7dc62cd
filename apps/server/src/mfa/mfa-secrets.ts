import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type MfaSecrets = ReturnType<typeof mfaSecretsFrom>

const cipher = 'aes-256-gcm'
const bytes = { nonce: 12, tag: 16, key: 32 } as const

/**
 * What protects second factors at rest, derived from the installation's secret: whoever holds the database alone learns no
 * authenticator's key and can try no recovery code. Everything is bound to its person, so that no row serves another.
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
        throw new Error('An authenticator key was sealed with another SECRET_KEY_FILE than this.', { cause })
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
