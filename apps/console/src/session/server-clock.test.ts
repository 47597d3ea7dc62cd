import { expect, test } from 'vitest'
import { narrowed } from './server-clock.ts'

test('§4 countdown: one answer gives the difference of the clocks to a little over a second', () => {
  const sample = { serverSecond: 100_000, askedAt: 40_000, answeredAt: 40_020 }
  expect(narrowed(undefined, sample)).toEqual({ least: 59_980, most: 61_000 })
})

test('§4 countdown: each further answer narrows it, never past the truth', () => {
  const ahead = 60_300
  let known: ReturnType<typeof narrowed> | undefined
  for (let askedAt = 40_000; askedAt < 60_000; askedAt += 730) {
    const serverSecond = Math.floor((askedAt + ahead + 10) / 1_000) * 1_000
    known = narrowed(known, { serverSecond, askedAt, answeredAt: askedAt + 20 })
    expect(known.least).toBeLessThanOrEqual(ahead)
    expect(known.most).toBeGreaterThanOrEqual(ahead)
  }
  expect((known?.most ?? 0) - (known?.least ?? 0)).toBeLessThan(150)
})

test('§4 countdown: where a clock was set meanwhile the last answer counts', () => {
  const before = narrowed(undefined, { serverSecond: 100_000, askedAt: 40_000, answeredAt: 40_020 })
  expect(narrowed(before, { serverSecond: 100_000, askedAt: 99_000, answeredAt: 99_010 })).toEqual({
    least: 990,
    most: 2_000,
  })
})
