import { expect, test } from 'vitest'
import { checkDoor, isWired } from './door-wiring.ts'

test('a door with a controller needs the number under which it is wired there', () => {
  expect(checkDoor({ unit: 'a controller', unitDoor: null })).toEqual({
    unitDoor: 'Select the door number on the controller.',
  })
  expect(checkDoor({ unit: 'a controller', unitDoor: 1 })).toEqual({})
  expect(checkDoor({ unit: null, unitDoor: null })).toEqual({})
})

test.each([
  [{ unit: 'a controller', unitDoor: 1 }, true],
  [{ unit: 'a controller', unitDoor: null }, false],
  [{ unit: null, unitDoor: 1 }, false],
])('a controller moves the door %o: %s', (wiring, expected) => {
  expect(isWired(wiring)).toBe(expected)
})
