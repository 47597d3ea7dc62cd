import { createHmac } from 'node:crypto'

/**
 * The unit stores this key instead of the credential's number: HMAC-SHA-256 under the unit's secret (base64), in hex. Few
 * numbers exist, so this is hygiene rather than secrecy. Two units never store the same key for one card.
 */
export function credentialKey(secret: string, number: string) {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(number).digest('hex')
}
