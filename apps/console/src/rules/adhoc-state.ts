import type { Filter } from '@portcullis/contract/list-query'

export type TimeBox = { from: string; until: string }

export const adhocStates = ['in_force', 'to_come', 'ended'] as const
export type AdhocState = (typeof adhocStates)[number]

/** The state of a rule's time box at a moment; `until` is exclusive. */
export function adhocStateOf({ from, until }: TimeBox, now: Date): AdhocState {
  if (Date.parse(until) <= now.getTime()) return 'ended'
  return Date.parse(from) > now.getTime() ? 'to_come' : 'in_force'
}

/** The same as a filter for the server. */
export function stateFilter(state: AdhocState, now: Date): Filter {
  const at = now.toISOString()
  switch (state) {
    case 'in_force':
      return { 'adhoc.from': { lte: at }, 'adhoc.until': { gt: at } }
    case 'to_come':
      return { 'adhoc.from': { gt: at } }
    case 'ended':
      return { 'adhoc.until': { lte: at } }
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The durations that one press can grant. */
export const extensions = ['hour', 'day', 'week'] as const
export type Extension = (typeof extensions)[number]

const extensionMs: Record<Extension, number> = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs }

/** A time box extended by this much; an ended one starts again now for that long. */
export function extended({ from, until }: TimeBox, { by, now }: { by: Extension; now: Date }): TimeBox {
  const end = Math.max(Date.parse(until), now.getTime())
  return { from, until: new Date(end + extensionMs[by]).toISOString() }
}

/** Ends active access: a second ago, so that it has ended on every clock. */
export function endedNow({ from }: TimeBox, now: Date): TimeBox {
  const until = Math.max(now.getTime() - 1_000, Date.parse(from) + 1)
  return { from, until: new Date(until).toISOString() }
}

export const spans = ['hour', 'tonight', 'date'] as const
/** The end of temporary access: after an hour, at the end of its first day, or at a selected moment. */
export type Span = (typeof spans)[number]

type Chosen = {
  span: Span
  /** Null: from now on. */
  from: string | null
  /** The selected end. */
  until: string | null
}

/** The selected time box, in whole minutes and the viewer's days; null while its end is not selected. Keeps text that is no moment. */
export function boxOf({ span, from, until }: Chosen, now: Date): TimeBox | null {
  if (from !== null && Number.isNaN(Date.parse(from))) return { from, until: until ?? from }
  const begin = from === null ? new Date(Math.floor(now.getTime() / minuteMs) * minuteMs) : new Date(from)
  const hourFrom = from === null ? now : begin
  const box = (end: Date) => ({ from: begin.toISOString(), until: end.toISOString() })
  switch (span) {
    case 'hour':
      return box(new Date(Math.ceil((hourFrom.getTime() + hourMs) / minuteMs) * minuteMs))
    case 'tonight':
      return box(new Date(begin.getFullYear(), begin.getMonth(), begin.getDate(), 23, 59, 59))
    case 'date':
      return until === null ? null : { from: begin.toISOString(), until }
  }
}
