/**
 * The number engraved on an iButton: the check, six bytes of serial, and the family, as sixteen hexadecimal digits from the
 * last byte of its memory to the first. The check is the 1-Wire CRC-8 (x^8 + x^5 + x^4 + 1) over family and serial.
 */
export function iButtonNumber(serial: number): string {
  const bytes = [family]
  for (let rest = serial; bytes.length < 7; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  return [...bytes, crc8(bytes)]
    .reverse()
    .map((byte) => byte.toString(16).padStart(2, '0').toUpperCase())
    .join('')
}

const family = 0x01

/** The check of a number's other bytes, in the order in which they are read. */
export function crc8(bytes: readonly number[]) {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8c : crc >>> 1
  }
  return crc
}
