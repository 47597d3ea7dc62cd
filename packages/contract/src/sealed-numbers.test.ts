import { expect, test } from 'vitest'
import { credentials } from './collections/credentials.ts'
import { isMask, maskOf } from './sealed-numbers.ts'

test.each([
  ['QR-20261', '••••0261'],
  ['123456', '••••456'],
  ['123', '••••3'],
  ['1', '••••'],
  ['', '••••'],
])('of the number %j the mask %j is shown', (number, mask) => {
  expect(maskOf(number)).toBe(mask)
  expect([isMask(mask), isMask(number)]).toEqual([true, false])
})

test('a mask is a number as read and as sent back, but not one to create a credential with', () => {
  const mask = maskOf('QR-12345')
  expect(credentials.patchSchema.safeParse({ number: mask }).success).toBe(true)
  expect(credentials.entitySchema.shape.number.safeParse(mask).success).toBe(true)
  expect(credentials.createSchema.safeParse({ kind: 'qr', number: mask }).success).toBe(false)
  expect(credentials.patchSchema.safeParse({ number: '••12345' }).success).toBe(false)
})
