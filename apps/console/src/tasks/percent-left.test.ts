import { expect, test } from 'vitest'
import { percentLeft, secondsLeft } from './percent-left.ts'

const at = Date.parse('2026-03-02T08:00:00.000Z')
const request = {
  createdAt: '2026-03-02T08:00:00.000Z',
  data: { expiresAfterSeconds: 60, authAction: 'unlockOnce' as const },
}

test.each([
  ['when it was raised', 0, 100, 60],
  ['after a quarter of its time', 15, 75, 45],
  ['in its last second', 59.5, 0.833, 1],
  ['at its end', 60, 0, 0],
  ['long after', 600, 0, 0],
  ['where the clocks differ a little', -0.4, 100, 60],
])('§4 countdown: percent of the time left, floor 0: %s', (_, seconds, percent, left) => {
  const now = at + seconds * 1_000
  expect(percentLeft(request, now)).toBeCloseTo(percent, 2)
  expect(secondsLeft(request, now)).toBe(left)
})
