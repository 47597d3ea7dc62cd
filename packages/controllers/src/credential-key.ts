import { createHmac } from 'node:crypto'

/**
 * What a unit knows of a credential instead of its number: HMAC-SHA-256 under the unit's secret (base64), in hex.
 * Hygiene rather than secrecy, as few numbers exist; two units of one site never store the same key for one card.
 */
export function credentialKey(secret: string, number: string) {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(number).digest('hex')
}
