import { createHash, randomBytes } from 'node:crypto'

/** A bearer secret: 32 random bytes, encoded for cookies and URLs. */
export function makeToken() {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string) {
  return /^[\w-]{43}$/.test(text)
}

/** The hash of a token for the database. It needs no salt: 32 random bytes cannot be guessed. */
export function hashOfToken(token: string) {
  return createHash('sha256').update(token).digest()
}
