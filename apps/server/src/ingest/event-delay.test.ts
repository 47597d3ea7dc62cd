import { expect, test } from 'vitest'
import { delayOf, noDelay, withLater } from './event-delay.ts'

const receivedAt = '2026-03-01T09:00:00.000Z'
const live = (occurredAt: string) => ({ occurredAt, receivedAt, backfilled: false, data: { names: {} } })
const kept = (occurredAt: string) => ({ ...live(occurredAt), backfilled: true })

test('the delay is that of the latest live event, from what happened until it was received', () => {
  const events = [live('2026-03-01T08:59:57.000Z'), live('2026-03-01T08:59:59.400Z')]
  expect(delayOf(events, 0)).toEqual({ eventDelayMs: 600, backfilledUpTo: null })
})

test('a clock that is ahead, or behind, neither hides the delay nor makes one up', () => {
  expect(delayOf([live('2026-03-01T09:00:04.700Z')], 5_000).eventDelayMs).toBe(300)
  expect(delayOf([live('2026-03-01T08:59:54.700Z')], -5_000).eventDelayMs).toBe(300)
  expect(delayOf([live('2026-03-01T09:00:00.200Z')], 0).eventDelayMs).toBe(0)
})

test('an event with a time that can not be believed tells no delay', () => {
  const clamped = { ...live('2026-03-01T09:00:00.000Z'), data: { names: {}, clockWrong: true } }
  expect(delayOf([clamped], 0)).toEqual(noDelay)
})

test('events that the unit kept while it was away say how far they have come, and no delay', () => {
  const events = [kept('2026-03-01T07:20:00.000Z'), kept('2026-03-01T07:10:00.000Z')]
  expect(delayOf(events, 0)).toEqual({ eventDelayMs: null, backfilledUpTo: '2026-03-01T07:20:00.000Z' })
})

test('what is known stays until something later says it anew', () => {
  const known = { eventDelayMs: 300, backfilledUpTo: '2026-03-01T07:20:00.000Z' }
  expect(withLater(known, noDelay)).toEqual(known)
  expect(withLater(known, { eventDelayMs: 200, backfilledUpTo: null })).toEqual({ ...known, eventDelayMs: 200 })
})
