import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc8, engravedNumber, iButtonNumber } from './i-button.ts'

test('the check is that of application note 27', () => {
  expect(crc8([0x02, 0x1c, 0xb8, 0x01, 0x00, 0x00, 0x00])).toBe(0xa2)
})

test.each([
  // In the order of the memory: application note 27, and the example of Arduino's library for Dallas sensors.
  { written: '02 1C B8 01 00 00 00 A2', number: 'A200000001B81C02' },
  { written: '28-1d-39-31-02-00-00-f0', number: 'F000000231391D28' },
  // As engraved.
  { written: 'A2:00:00:00:01:B8:1C:02', number: 'A200000001B81C02' },
  { written: 'f000000231391d28', number: 'F000000231391D28' },
])('an iButton has one number, however it is written: $written', ({ written, number }) => {
  expect(iButtonNumber(written)).toBe(number)
})

test.each(['', '4711', '02 1C B8 01 00 00 00 A3', 'A200000001B81C0', 'A200000001B81C021', 'G200000001B81C02'])(
  'another number is refused: "%s"',
  (written) => {
    expect(iButtonNumber(written)).toBeUndefined()
  },
)

const anySerial = fc.integer({ min: 0, max: 2 ** 48 - 1 })

test('every engraved number is found from both orders', () => {
  fc.assert(
    fc.property(anySerial, (serial) => {
      const number = engravedNumber(serial)
      expect(number).toHaveLength(16)
      const inMemory = number.match(/../g)?.toReversed().join(' ') ?? ''
      expect([iButtonNumber(number), iButtonNumber(inMemory)]).toEqual([number, number])
    }),
  )
})

test('a flipped bit is found', () => {
  fc.assert(
    fc.property(anySerial, fc.nat(63), (serial, bit) => {
      const flipped = (BigInt(`0x${engravedNumber(serial)}`) ^ (1n << BigInt(bit))).toString(16).padStart(16, '0')
      const reversed = flipped.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []
      // It may be a number in the other order by chance, but never in its own.
      expect(crc8(reversed.toReversed())).not.toBe(0)
    }),
  )
})
