/** The largest clock error at which a unit's times are still used. */
export const maxClockErrorMs = 10 * 60_000
/** An event older than this at receipt was stored while the unit was offline. */
const backfilledAfterMs = 60_000
/** Units do not keep events for years: an older time means that the unit has lost its clock. */
const oldestMs = 400 * 24 * 3_600_000

export type EventTime = { occurredAt: number; backfilled: boolean; clockWrong: boolean }

type PlausibleTimeInput = {
  /** The unit's own time of the event. */
  deviceAt: number
  receivedAt: number
  /** How far the unit's clock was last measured ahead of the server's; null: not measured. */
  clockOffsetMs: number | null
}

/** The time of an event, from the unit's time and the server's. An implausible time is replaced by that of receipt. */
export function plausibleTime({ deviceAt, receivedAt, clockOffsetMs }: PlausibleTimeInput): EventTime {
  const age = receivedAt - deviceAt
  const clamped = { occurredAt: receivedAt, clockWrong: true }
  if (age < -maxClockErrorMs) return { ...clamped, backfilled: false }
  if (age > oldestMs) return { ...clamped, backfilled: true }
  // With a slow clock, live events look old.
  const isBehind = clockOffsetMs !== null && clockOffsetMs < -maxClockErrorMs
  const isLive = isBehind && Math.abs(age + clockOffsetMs) <= backfilledAfterMs
  if (isLive) return { ...clamped, backfilled: false }
  return { occurredAt: deviceAt, clockWrong: false, backfilled: age > backfilledAfterMs }
}
