import type { AccessRule, DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import { atZone, viewerZone } from '../time/time-text.ts'
import { windowsInWords } from '../time/hours-in-words.ts'
import { near } from '../time/site-time.ts'
import { text } from '../text/text.ts'

export type AccessRow = DoorAccess['items'][number] | UserAccess['items'][number]

export type Opens = AccessRow['opens'][number]

/** Whether a rule lets them in at all in a direction; `undefined` stands for any. */
export function hasRuleFor({ rules }: AccessRow, wanted: Opens['direction'] | undefined): boolean {
  return rules.some(
    ({ effect, direction }) =>
      effect === 'allow' && (direction === 'both' || wanted === undefined || direction === wanted),
  )
}

/** Whether they can open it in a direction at the moment, as a state with a word for it, and what more is to say. */
export function stateOf(
  { verdict, reason, credentials }: AccessRow,
  { span, now }: { span: Opens['span']; now: string },
) {
  if (span === null)
    return { state: 'refused', word: text('explorer.cannot'), more: whyNot({ reason, credentials }) } as const
  if (span.from > now) return { state: 'requested', word: text('explorer.canLater'), more: '' } as const
  const also = verdict === 'needs_pin' || verdict === 'needs_approval' ? text(`explorer.also.${verdict}`) : ''
  return { state: 'granted', word: text('explorer.canNow'), more: also } as const
}

/** The directions in which the answer is the same are told together: `undefined` stands for all of them. */
export function linesOf({ opens }: AccessRow): { direction: Opens['direction'] | undefined; span: Opens['span'] }[] {
  const [first, ...others] = opens
  if (first === undefined) return [{ direction: undefined, span: null }]
  const isSame = others.every(({ span }) => JSON.stringify(span) === JSON.stringify(first.span))
  return isSame ? [{ direction: undefined, span: first.span }] : [...opens]
}

type Moment = { now: string; zone: string | null }

/** The next stretch of time in the viewer's zone, and on the clock at the site where that is another. */
export function openingOf(span: NonNullable<Opens['span']>, { now, zone }: Moment): { words: string; atSite: string } {
  const words = spanWords(span, { at: now, timeZone: viewerZone })
  if (zone === null || zone === viewerZone) return { words, atSite: longWords(span, viewerZone) }
  return { words, atSite: text('time.atSite', { time: longWords(span, zone) }) }
}

/** The hours of a rule: `Mon to Fri 06:00 to 18:00, site time`. */
export function ruleHours({ schedule, adhoc }: AccessRule, { now }: Pick<Moment, 'now'>): string {
  const hours = hoursOf(schedule)
  if (adhoc === null) return hours
  return text('explorer.hoursUntil', { hours, until: near(adhoc.until, { at: now, timeZone: viewerZone }) })
}

function spanWords({ from, until }: NonNullable<Opens['span']>, { at, timeZone }: { at: string; timeZone: string }) {
  const isNow = from <= at
  const end = until && near(until, { at: isNow ? at : from, timeZone })
  if (isNow) return end ? text('explorer.canUntil', { until: end }) : text('explorer.canAlways')
  const begin = near(from, { at, timeZone })
  return end ? text('explorer.canFromUntil', { from: begin, until: end }) : text('explorer.canFrom', { from: begin })
}

function longWords({ from, until }: NonNullable<Opens['span']>, timeZone: string) {
  const begin = atZone(new Date(from), timeZone)
  return until === null
    ? text('explorer.canFrom', { from: begin })
    : text('explorer.canFromUntil', { from: begin, until: atZone(new Date(until), timeZone) })
}

function whyNot({ reason, credentials }: Pick<AccessRow, 'reason' | 'credentials'>) {
  if (credentials === 0) return text('explorer.noCredential')
  return reason ? text(`reason.${reason}`) : ''
}

function hoursOf(schedule: AccessRule['schedule']) {
  if (schedule === null) return text('explorer.hoursAlways')
  if (schedule.windows === null) return text('explorer.hoursGone')
  return text('explorer.hours', { hours: windowsInWords(schedule.windows) })
}
