import type { EventRow } from './event-row.ts'

/** What the events of a unit tell of the way that they take: of the latest live one, and of those that it kept while away. */
export type EventDelay = { eventDelayMs: number | null; backfilledUpTo: string | null }

export const noDelay: EventDelay = { eventDelayMs: null, backfilledUpTo: null }

type Arrived = Pick<EventRow, 'occurredAt' | 'receivedAt' | 'backfilled' | 'data'>

/** A unit's own time is right but for its clock, by which it was last measured to be ahead of ours. */
export function delayOf(events: readonly Arrived[], clockOffsetMs: number | null): EventDelay {
  const live = events.findLast(({ backfilled, data }) => !backfilled && !data.clockWrong)
  const kept = events.flatMap(({ backfilled, occurredAt }) => (backfilled ? [occurredAt] : []))
  return {
    eventDelayMs: live
      ? Math.max(0, Date.parse(live.receivedAt) - Date.parse(live.occurredAt) + (clockOffsetMs ?? 0))
      : null,
    backfilledUpTo: kept.toSorted().at(-1) ?? null,
  }
}

/** What was known, with what has arrived since. */
export function withLater(known: EventDelay, later: EventDelay): EventDelay {
  return {
    eventDelayMs: later.eventDelayMs ?? known.eventDelayMs,
    backfilledUpTo: later.backfilledUpTo ?? known.backfilledUpTo,
  }
}
