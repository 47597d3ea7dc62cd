import { expect, test } from 'vitest'
import { narrowed } from './server-clock.ts'

test('§4 countdown: one answer gives the difference of the clocks to a little over a second', () => {
  const sample = { serverSecond: 100_000, sentAt: 40_000, answeredAt: 40_020 }
  expect(narrowed(undefined, sample)).toEqual({ least: 59_980, most: 61_000 })
})

test('§4 countdown: each further answer narrows it, never past the truth', () => {
  const ahead = 60_300
  let offset: ReturnType<typeof narrowed> | undefined
  for (let sentAt = 40_000; sentAt < 60_000; sentAt += 730) {
    const serverSecond = Math.floor((sentAt + ahead + 10) / 1_000) * 1_000
    offset = narrowed(offset, { serverSecond, sentAt, answeredAt: sentAt + 20 })
    expect(offset.least).toBeLessThanOrEqual(ahead)
    expect(offset.most).toBeGreaterThanOrEqual(ahead)
  }
  expect((offset?.most ?? 0) - (offset?.least ?? 0)).toBeLessThan(150)
})

test('§4 countdown: where a clock was set meanwhile the last answer counts', () => {
  const before = narrowed(undefined, { serverSecond: 100_000, sentAt: 40_000, answeredAt: 40_020 })
  expect(narrowed(before, { serverSecond: 100_000, sentAt: 99_000, answeredAt: 99_010 })).toEqual({
    least: 990,
    most: 2_000,
  })
})
