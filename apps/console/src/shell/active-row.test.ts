import { expect, test } from 'vitest'
import { activeRow } from './active-row.ts'

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 19, 0],
  ['ArrowUp', 0, 19],
  ['PageDown', 15, 19],
  ['PageUp', 4, 0],
  ['Home', 7, 0],
  ['End', 7, 19],
  ['a', 7, undefined],
])('§4 keyboard: %s leads in a list of 20 from %j to %j', (key, active, to) => {
  expect(activeRow({ key, active, count: 20 })).toBe(to)
})

test('§4 keyboard: in an empty list no key leads anywhere', () => {
  expect(activeRow({ key: 'End', active: 0, count: 0 })).toBeUndefined()
})
