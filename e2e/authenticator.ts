import { createHmac } from 'node:crypto'

const periodS = 30

/** The code that an authenticator app shows for a key (RFC 6238): the current one, or one `ahead` by this many 30 s periods. */
export function codeOf(key: string, ahead = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / periodS) + ahead))
  const hash = createHmac('sha1', bytesOf(key)).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

/** A code that is wrong now, and for a minute. */
export function wrongCode(key: string) {
  const right = new Set([-2, -1, 0, 1, 2].map((ahead) => codeOf(key, ahead)))
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !right.has(code)) ?? ''
}

/** The bytes of a base32 text (RFC 4648). */
function bytesOf(key: string) {
  const bits = Array.from(key.replaceAll(/[\s=]/g, '').toUpperCase(), (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
