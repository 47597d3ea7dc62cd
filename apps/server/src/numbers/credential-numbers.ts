import { isMarkedAsPin } from '@portcullis/domain/decision/presented-credential'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type CredentialNumbers = ReturnType<typeof credentialNumbersFrom>

const cipher = 'aes-256-gcm'
const bytes = { nonce: 12, tag: 16, key: 32 } as const

/**
 * Protects PINs and the numbers of QR codes and phones at rest with keys derived from the installation's secret. An encrypted
 * number is bound to its credential, so a row copied to another credential is useless.
 */
export function credentialNumbersFrom(secretKey: Uint8Array) {
  const sealing = derived('portcullis credential numbers')
  const hashing = derived('portcullis hashes of credential numbers')
  const hashingPins = derived('portcullis hashes of PINs')

  return {
    /** Of a number as it is encrypted, a PIN as `pinNumber`. PINs have a key of their own. */
    hash(number: string) {
      return hashBy(isMarkedAsPin(number) ? hashingPins : hashing, number)
    },
    /** Of a number that someone asks about: it finds no PIN. */
    hashOfGiven(number: string) {
      return hashBy(hashing, number)
    },
    seal(number: string, credential: string) {
      const nonce = randomBytes(bytes.nonce)
      const encrypting = createCipheriv(cipher, sealing, nonce).setAAD(Buffer.from(credential))
      return Buffer.concat([nonce, encrypting.update(number), encrypting.final(), encrypting.getAuthTag()])
    },
    open(sealed: Buffer, credential: string) {
      const [nonce, tag] = [sealed.subarray(0, bytes.nonce), sealed.subarray(-bytes.tag)]
      const opening = createDecipheriv(cipher, sealing, nonce).setAAD(Buffer.from(credential)).setAuthTag(tag)
      try {
        return opening.update(sealed.subarray(bytes.nonce, -bytes.tag), undefined, 'utf8') + opening.final('utf8')
      } catch (cause) {
        throw new Error('Cannot decrypt a credential number: it was encrypted with a different SECRET_KEY_FILE.', {
          cause,
        })
      }
    },
  }

  function hashBy(key: Buffer, number: string) {
    return createHmac('sha256', key).update(number).digest()
  }

  function derived(use: string) {
    return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), use, bytes.key))
  }
}
