import { expect, test } from 'vitest'
import { plausibleTime } from './plausible-time.ts'

const minutes = 60_000
const day = 24 * 60 * minutes
const receivedAt = Date.parse('2026-03-01T09:00:00Z')

test.each([
  ['just now', -1_000, 0, { at: -1_000, backfilled: false, clockWrong: false }],
  ['a little in the future', 5 * minutes, 0, { at: 5 * minutes, backfilled: false, clockWrong: false }],
  ['far in the future', 11 * minutes, 0, { at: 0, backfilled: false, clockWrong: true }],
  ['an hour ago, by a right clock', -60 * minutes, 0, { at: -60 * minutes, backfilled: true, clockWrong: false }],
  [
    'an hour ago, by a clock that is an hour behind',
    -60 * minutes,
    -60 * minutes,
    { at: 0, backfilled: false, clockWrong: true },
  ],
  [
    'two hours ago, by a clock that is an hour behind',
    -120 * minutes,
    -60 * minutes,
    { at: -120 * minutes, backfilled: true, clockWrong: false },
  ],
  ['in 1970', -receivedAt, -receivedAt, { at: 0, backfilled: true, clockWrong: true }],
  ['a year ago', -365 * day, null, { at: -365 * day, backfilled: true, clockWrong: false }],
])('%s', (_, deviceMs, clockOffsetMs, { at, ...marks }) => {
  const time = plausibleTime({ deviceAt: receivedAt + deviceMs, receivedAt, clockOffsetMs })
  expect(time).toEqual({ occurredAt: receivedAt + at, ...marks })
})
