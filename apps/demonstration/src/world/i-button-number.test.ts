import { expect, test } from 'vitest'
import { crc8, iButtonNumber } from './i-button-number.ts'

test('the number of an iButton carries the check of the 1-Wire standard', () => {
  expect(crc8([0x02, 0x1c, 0xb8, 0x01, 0x00, 0x00, 0x00])).toBe(0xa2)
  const number = iButtonNumber(0x01b81c)
  expect(number).toMatch(/^[0-9A-F]{2}00000001B81C01$/)
  expect(crc8([...Buffer.from(number, 'hex')].reverse())).toBe(0)
})
