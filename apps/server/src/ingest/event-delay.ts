import type { EventRow } from './event-row.ts'

/** The delay of a unit's latest live event, and the time of its latest backfilled one. */
export type EventDelay = { eventDelayMs: number | null; backfilledUpTo: string | null }

export const noDelay: EventDelay = { eventDelayMs: null, backfilledUpTo: null }

type Arrived = Pick<EventRow, 'occurredAt' | 'receivedAt' | 'backfilled' | 'data'>

/** Corrects the unit's times by how far its clock was last measured ahead of the server's. */
export function delayOf(events: readonly Arrived[], clockOffsetMs: number | null): EventDelay {
  const live = events.findLast(({ backfilled, data }) => !backfilled && !data.clockWrong)
  const backfilledTimes = events.flatMap(({ backfilled, occurredAt }) => (backfilled ? [occurredAt] : []))
  return {
    eventDelayMs: live
      ? Math.max(0, Date.parse(live.receivedAt) - Date.parse(live.occurredAt) + (clockOffsetMs ?? 0))
      : null,
    backfilledUpTo: backfilledTimes.toSorted().at(-1) ?? null,
  }
}

/** The previous values, updated with those of later events. */
export function mergeDelay(previous: EventDelay, later: EventDelay): EventDelay {
  return {
    eventDelayMs: later.eventDelayMs ?? previous.eventDelayMs,
    backfilledUpTo: later.backfilledUpTo ?? previous.backfilledUpTo,
  }
}
