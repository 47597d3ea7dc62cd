import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyPair } from '@portcullis/controllers/keys'
import { deriveKey } from '../sealing.ts'

/** PKCS 8 (RFC 8410) of an Ed25519 key, up to its 32 bytes. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The key that signs the units' configurations, derived from the installation's secret, so that all servers of one
 * installation sign with the same key and units still accept a restored one.
 */
export function signingKeyFrom(secretKey: Uint8Array): KeyPair {
  const seed = deriveKey(secretKey, 'portcullis unit configurations')
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
