import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'

/** An Ed25519 pair: the public key as base64 of SPKI DER, as the protocol carries it; the private one as base64 of PKCS 8 DER. */
export type KeyPair = { publicKey: string; privateKey: string }

export function generateKeys(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  }
}

/** Reading a key takes as long as signing with it, and a server signs with one only. */
let lastRead: { privateKey: string; key: KeyObject } | undefined

/** The signature of a protocol text, as base64. */
export function signText(privateKey: string, text: string) {
  if (lastRead?.privateKey !== privateKey) {
    const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' })
    lastRead = { privateKey, key }
  }
  return sign(null, Buffer.from(text), lastRead.key).toString('base64')
}

type AnySigner = { publicKeys: readonly string[]; text: string; signature: string }

/** The first of these keys that has made the signature over this text; undefined if none has. */
export function signerOf({ publicKeys, text, signature }: AnySigner) {
  return publicKeys.find((publicKey) => isSigned({ publicKey, text, signature }))
}

/** Whether the signature is this key's over this text; false for an invalid key. */
export function isSigned({ publicKey, text, signature }: { publicKey: string; text: string; signature: string }) {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
