import { createHmac } from 'node:crypto'
import { deriveKey, sealingFrom } from '../sealing.ts'

export type MfaSecrets = ReturnType<typeof mfaSecretsFrom>

/**
 * Protects second factors at rest with keys derived from the installation's secret: the database alone reveals no
 * authenticator key and does not allow recovery codes to be guessed. Every value is bound to its user, so a row copied
 * to another user is useless. Recovery codes made before a rotation of the secret are checked with `earlierRecoveryKeys`.
 */
export function mfaSecretsFrom(secretKey: Uint8Array, earlierRecoveryKeys: readonly Uint8Array[] = []) {
  const sealing = sealingFrom(secretKey, 'portcullis authenticator keys')
  const hashing = recoveryKeyFrom(secretKey)

  return {
    sealKey: (key: Uint8Array, person: string) => sealing.seal(key, person),
    openKey(sealed: Buffer, person: string) {
      try {
        return sealing.open(sealed, person)
      } catch (cause) {
        throw new Error('Cannot decrypt an authenticator key: it was encrypted with a different SECRET_KEY_FILE.', {
          cause,
        })
      }
    },
    hashRecoveryCode: (code: string, person: string) => hashWith(hashing, code, person),
    /** The hashes under which the code may be stored. */
    recoveryHashes: (code: string, person: string) =>
      [hashing, ...earlierRecoveryKeys].map((key) => hashWith(key, code, person)),
  }
}

/** The key under which recovery codes are hashed. */
export function recoveryKeyFrom(secretKey: Uint8Array) {
  return deriveKey(secretKey, 'portcullis recovery codes')
}

function hashWith(key: Uint8Array, code: string, person: string) {
  return createHmac('sha256', key).update(`${person} ${code}`).digest()
}
