import type { Filter } from '@portcullis/contract/list-query'
import { localMoment, momentOfLocal } from '../time/local-moment.ts'

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

export const spans = ['hour', 'fourHours', 'evening', 'midnight', 'friday', 'week', 'date'] as const
/** The end of temporary access: after some hours or a week, at 18:00 or at the end of its first day, on Friday at 18:00, or at a selected moment. */
export type Span = (typeof spans)[number]

type Chosen = {
  span: Span
  /** Null: from now on. */
  from: string | null
  /** The selected end. */
  until: string | null
  /** The time zone of its days: that of the site. */
  zone: string
}

const lasting = { hour: hourMs, fourHours: 4 * hourMs, week: extensionMs.week } as const
const evening = '18:00'

/** The selected time box, in whole minutes; null while its end is not selected or has passed. Keeps text that is no moment. */
export function boxOf({ span, from, until, zone }: Chosen, now: Date): TimeBox | null {
  if (from !== null && Number.isNaN(Date.parse(from))) return { from, until: until ?? from }
  const begin = from === null ? new Date(Math.floor(now.getTime() / minuteMs) * minuteMs) : new Date(from)
  const local = localMoment(begin.toISOString(), zone)
  const today = local.slice(0, 10)
  switch (span) {
    case 'hour':
    case 'fourHours':
    case 'week': {
      const counted = from === null ? now : begin
      const end = Math.ceil((counted.getTime() + lasting[span]) / minuteMs) * minuteMs
      return boxUntil(new Date(end).toISOString())
    }
    case 'evening':
      return boxUntil(momentOfLocal(`${today}T${evening}`, zone))
    case 'midnight':
      return boxUntil(momentOfLocal(`${today}T23:59:59`, zone))
    case 'friday':
      return boxUntil(momentOfLocal(`${fridayAfter(local)}T${evening}`, zone))
    case 'date':
      return until === null ? null : { from: begin.toISOString(), until }
  }

  function boxUntil(end: string | null): TimeBox | null {
    return end === null || Date.parse(end) <= begin.getTime() ? null : { from: begin.toISOString(), until: end }
  }
}

const friday = 5

/** The next Friday evening's day; on a Friday itself until 18:00. */
function fridayAfter(local: string) {
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`)
  const isOver = day.getUTCDay() === friday && local.slice(11) >= evening
  day.setUTCDate(day.getUTCDate() + (isOver ? 7 : (friday + 7 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
}
