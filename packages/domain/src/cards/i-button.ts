/**
 * The number of an iButton as it is engraved: its check, six bytes of serial, and its family, as sixteen upper-case
 * hexadecimal digits. It may be written with or without separators, and in the order of the engraving or of its memory.
 * Undefined if the check is wrong in both orders. Source: Maxim application note 27.
 */
export function iButtonNumber(written: string): string | undefined {
  const digits = written.replaceAll(/[\s:.-]/g, '').toUpperCase()
  if (!/^[0-9A-F]{16}$/.test(digits)) return undefined
  const bytes = digits.match(/../g) ?? []
  const [engraved, inMemory] = [bytes, bytes.toReversed()].filter(isChecked)
  // One number in 256 passes the check in both orders. Then the family of nearly all keys decides.
  const isOther = inMemory?.at(-1) === keyFamily && engraved?.at(-1) !== keyFamily
  return (isOther ? inMemory : engraved)?.join('')
}

const keyFamily = '01'

/** Whether the first byte is the check of the others. */
function isChecked(engraved: readonly string[]) {
  return crc8(engraved.toReversed().map((byte) => Number.parseInt(byte, 16))) === 0
}

/** The 1-Wire CRC-8 (x^8 + x^5 + x^4 + 1), over bytes in the order of the memory; 0 over a number with its check. */
export function crc8(bytes: readonly number[]): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8c : crc >>> 1
  }
  return crc
}

/** The engraved number of the iButton of this family with this serial. */
export function engravedNumber(serial: number, family = 0x01): string {
  const bytes = [family]
  for (let rest = serial; bytes.length < 7; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  return [...bytes, crc8(bytes)]
    .reverse()
    .map((byte) => byte.toString(16).padStart(2, '0').toUpperCase())
    .join('')
}
