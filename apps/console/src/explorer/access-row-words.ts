import type { AccessRule, DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { State } from '../collection/state-tag.tsx'
import { atZone, viewerZone } from '../collection/time-text.ts'
import { windowsInWords } from '../parts/hours-in-words.ts'
import { near } from '../parts/site-time.ts'
import { text } from '../text/text.ts'

export type AccessRow = DoorAccess['items'][number] | UserAccess['items'][number]

/** Whether they can open it at the moment, as a state with a word for it. */
export function stateOf({ state, verdict, reason, credentials }: AccessRow): {
  state: State
  word: string
  more: string
} {
  const more = verdict === 'needs_pin' || verdict === 'needs_approval' ? text(`explorer.also.${verdict}`) : ''
  if (state === 'now') return { state: 'granted', word: text('explorer.canNow'), more }
  if (state === 'later') return { state: 'requested', word: text('explorer.canLater'), more: '' }
  if (credentials === 0) return { state: 'refused', word: text('explorer.cannot'), more: text('explorer.noCredential') }
  return { state: 'refused', word: text('explorer.cannot'), more: reason ? text(`reason.${reason}`) : '' }
}

type Moment = { now: string; zone: string | null }

/** The next stretch of time in the viewer's zone, and on the clock at the site where that is another. */
export function openingOf(
  { state, opens }: AccessRow,
  { now, zone }: Moment,
): { words: string; atSite: string } | undefined {
  if (opens === null) return undefined
  const words = spanWords({ state, opens }, { at: now, timeZone: viewerZone })
  if (zone === null || zone === viewerZone) return { words, atSite: longWords(opens, viewerZone) }
  return { words, atSite: text('time.atSite', { time: longWords(opens, zone) }) }
}

/** The hours of a rule: `Mon to Fri 06:00 to 18:00, site time`. */
export function ruleHours({ schedule, adhoc }: AccessRule, { now }: Pick<Moment, 'now'>): string {
  const hours = hoursOf(schedule)
  if (adhoc === null) return hours
  return text('explorer.hoursUntil', { hours, until: near(adhoc.until, { at: now, timeZone: viewerZone }) })
}

type Spanning = Pick<AccessRow, 'state'> & { opens: NonNullable<AccessRow['opens']> }

function spanWords({ state, opens }: Spanning, { at, timeZone }: { at: string; timeZone: string }) {
  const until = opens.until && near(opens.until, { at: state === 'now' ? at : opens.from, timeZone })
  if (state === 'now') return until ? text('explorer.canUntil', { until }) : text('explorer.canAlways')
  const from = near(opens.from, { at, timeZone })
  return until ? text('explorer.canFromUntil', { from, until }) : text('explorer.canFrom', { from })
}

function longWords({ from, until }: NonNullable<AccessRow['opens']>, timeZone: string) {
  const begin = atZone(new Date(from), timeZone)
  return until === null
    ? text('explorer.canFrom', { from: begin })
    : text('explorer.canFromUntil', { from: begin, until: atZone(new Date(until), timeZone) })
}

function hoursOf(schedule: AccessRule['schedule']) {
  if (schedule === null) return text('explorer.hoursAlways')
  if (schedule.windows === null) return text('explorer.hoursGone')
  return text('explorer.hours', { hours: windowsInWords(schedule.windows) })
}
