import { expect, test } from 'vitest'
import { delayOf, noDelay, mergeDelay } from './event-delay.ts'

const receivedAt = '2026-03-01T09:00:00.000Z'
const live = (occurredAt: string) => ({ occurredAt, receivedAt, backfilled: false, data: { names: {} } })
const backfilledEvent = (occurredAt: string) => ({ ...live(occurredAt), backfilled: true })

test('the delay is that of the latest live event, from its occurrence to its receipt', () => {
  const events = [live('2026-03-01T08:59:57.000Z'), live('2026-03-01T08:59:59.400Z')]
  expect(delayOf(events, 0)).toEqual({ eventDelayMs: 600, backfilledUpTo: null })
})

test('a fast or slow clock does not hide or create a delay', () => {
  expect(delayOf([live('2026-03-01T09:00:04.700Z')], 5_000).eventDelayMs).toBe(300)
  expect(delayOf([live('2026-03-01T08:59:54.700Z')], -5_000).eventDelayMs).toBe(300)
  expect(delayOf([live('2026-03-01T09:00:00.200Z')], 0).eventDelayMs).toBe(0)
})

test('an event with an implausible time has no delay', () => {
  const clamped = { ...live('2026-03-01T09:00:00.000Z'), data: { names: {}, clockWrong: true } }
  expect(delayOf([clamped], 0)).toEqual(noDelay)
})

test('backfilled events give the time up to which they have arrived, and no delay', () => {
  const events = [backfilledEvent('2026-03-01T07:20:00.000Z'), backfilledEvent('2026-03-01T07:10:00.000Z')]
  expect(delayOf(events, 0)).toEqual({ eventDelayMs: null, backfilledUpTo: '2026-03-01T07:20:00.000Z' })
})

test('previous values stay until a later event replaces them', () => {
  const previous = { eventDelayMs: 300, backfilledUpTo: '2026-03-01T07:20:00.000Z' }
  expect(mergeDelay(previous, noDelay)).toEqual(previous)
  expect(mergeDelay(previous, { eventDelayMs: 200, backfilledUpTo: null })).toEqual({ ...previous, eventDelayMs: 200 })
})
