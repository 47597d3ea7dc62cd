import { createHash, randomBytes } from 'node:crypto'

/** A secret that only its bearer keeps: 32 random bytes, as text for cookies and addresses. */
export function makeToken() {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string) {
  return /^[\w-]{43}$/.test(text)
}

/** What the database keeps of a token. Without salt: there is nothing to guess in 32 random bytes. */
export function hashOfToken(token: string) {
  return createHash('sha256').update(token).digest()
}
