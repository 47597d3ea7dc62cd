/** How far a unit's clock may be wrong before its times are no longer believed. */
export const believedMs = 10 * 60_000
/** Older than this at receipt: it was kept while there was no connection. */
const backfilledAfterMs = 60_000
/** A unit does not keep events for years; one that says so has lost its clock. */
const oldestMs = 400 * 24 * 3_600_000

export type EventTime = { occurredAt: number; backfilled: boolean; clockWrong: boolean }

type Told = {
  /** The unit's own time of the event. */
  deviceAt: number
  receivedAt: number
  /** How far the unit's clock was last measured ahead of ours; null: not measured. */
  clockOffsetMs: number | null
}

/** When something happened, judged by the unit's time and ours. A time that can't be is replaced by that of receipt. */
export function plausibleTime({ deviceAt, receivedAt, clockOffsetMs }: Told): EventTime {
  const age = receivedAt - deviceAt
  const clamped = { occurredAt: receivedAt, clockWrong: true }
  if (age < -believedMs) return { ...clamped, backfilled: false }
  if (age > oldestMs) return { ...clamped, backfilled: true }
  // A clock that is behind makes what happens now look old.
  const isBehind = clockOffsetMs !== null && clockOffsetMs < -believedMs
  const isLive = isBehind && Math.abs(age + clockOffsetMs) <= backfilledAfterMs
  if (isLive) return { ...clamped, backfilled: false }
  return { occurredAt: deviceAt, clockWrong: false, backfilled: age > backfilledAfterMs }
}
