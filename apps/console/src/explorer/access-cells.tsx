import { Tooltip } from '@mantine/core'
import type { AccessRule, DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import { Link } from '@tanstack/react-router'
import { StateTag } from '../ui/state-tag.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './access-cells.module.css'
import { atZone, viewerZone } from '../time/time-text.ts'
import { windowsInWords } from '../time/hours-in-words.ts'
import { near } from '../time/site-time.ts'
import { listOf } from '../text/catalogue.ts'

type Props = { row: AccessRow; now: string; zone: string | null }

/** Open until when, closed until when, or why not; a line for each direction where they differ. */
export function WhenCell({ row, now, zone }: Props) {
  return linesOf(row).map(({ direction, span }) => {
    const way = direction && <small className={styles.direction}>{text(`explorer.way.${direction}`)}</small>
    if (!hasRuleFor(row, direction)) {
      return (
        <span key={direction} className={styles.when}>
          {way}
          <small>{text('explorer.noRule')}</small>
        </span>
      )
    }
    const { state, word, more } = stateOf(row, { span, now })
    const opening = span && openingOf(span, { now, zone })
    return (
      <span key={direction ?? 'both'} className={styles.when}>
        {way}
        <StateTag state={state}>{word}</StateTag>
        {opening && (
          <Tooltip label={opening.atSite} multiline>
            <small>{opening.words}</small>
          </Tooltip>
        )}
        {more && <small>{more}</small>}
      </span>
    )
  })
}

const maxRules = 2

/** The rules that name both, with their hours and the groups by which they do. */
export function RulesCell({ rules, now, isHere }: { rules: readonly AccessRule[]; now: string; isHere: boolean }) {
  const others = rules.length - maxRules
  return (
    <>
      {rules.slice(0, maxRules).map((rule, index) => (
        <div key={rule._id ?? `${index}`} className={styles.rule}>
          <RuleName rule={rule} isHere={isHere} />
          {rule.effect === 'deny' && <b className={styles.deny}>{text('explorer.denies')}</b>}
          <small>{about(rule, now)}</small>
        </div>
      ))}
      {others > 0 && <span className="second">{text('explorer.andRules', { count: others })}</span>}
    </>
  )
}

/** `Mon to Fri 06:00 to 18:00, In only, through Warehouse` */
function about(rule: AccessRule, now: string) {
  const { direction, who } = rule
  const through =
    who.kind === 'User Group' && text('explorer.through', { who: who.name ?? text('explorer.groupAbove') })
  const only = direction !== 'both' && text(`explorer.only.${direction}`)
  return listOf([ruleHours(rule, { now }), only, through].filter((words) => words !== false))
}

/** A rule of an account above has no name here, and one of another account no screen. */
function RuleName({ rule: { _id, name }, isHere }: { rule: AccessRule; isHere: boolean }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/rules/list`
  if (_id === null) return <span className="soft">{text('explorer.ruleAbove')}</span>
  if (!isHere) return <bdi>{name}</bdi>
  return (
    <Link to={to} search={{ open: _id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}

type AccessRow = DoorAccess['items'][number] | UserAccess['items'][number]

type Opens = AccessRow['opens'][number]

/** Whether a rule grants access in a direction at all; `undefined` means any direction. */
function hasRuleFor({ rules }: AccessRow, side: Opens['direction'] | undefined): boolean {
  return rules.some(
    ({ effect, direction }) => effect === 'allow' && (direction === 'both' || side === undefined || direction === side),
  )
}

/** Whether they can open it in a direction now, as a state with a label and a detail. */
function stateOf({ verdict, ...row }: AccessRow, { span, now }: { span: Opens['span']; now: string }) {
  if (span === null) return { state: 'refused', word: text('explorer.cannot'), more: whyNot(row) } as const
  if (span.from > now) return { state: 'requested', word: text('explorer.canLater'), more: '' } as const
  const also = verdict === 'grant' || verdict === 'deny' ? '' : text(`explorer.also.${verdict}`)
  return { state: 'granted', word: text('explorer.canNow'), more: also } as const
}

/** Groups the directions that have the same answer; `undefined` means all directions. */
function linesOf({ opens }: AccessRow): { direction: Opens['direction'] | undefined; span: Opens['span'] }[] {
  const [first, ...others] = opens
  if (first === undefined) return [{ direction: undefined, span: null }]
  const isSame = others.every(({ span }) => JSON.stringify(span) === JSON.stringify(first.span))
  return isSame ? [{ direction: undefined, span: first.span }] : [...opens]
}

type Moment = { now: string; zone: string | null }

/** The next opening in the viewer's time zone, and in the site's where it differs. */
function openingOf(span: NonNullable<Opens['span']>, { now, zone }: Moment): { words: string; atSite: string } {
  const words = spanWords(span, { at: now, timeZone: viewerZone })
  if (zone === null || zone === viewerZone) return { words, atSite: longWords(span, viewerZone) }
  return { words, atSite: text('time.atSite', { time: longWords(span, zone) }) }
}

/** The hours of a rule: `Mon to Fri 06:00 to 18:00, site time`. */
function ruleHours({ schedule, adhoc }: AccessRule, { now }: Pick<Moment, 'now'>): string {
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

function whyNot({ reason, credentials, noRoom }: Pick<AccessRow, 'reason' | 'credentials' | 'noRoom'>) {
  if (noRoom) return text('explorer.noRoom')
  if (credentials === 0) return text('explorer.noCredential')
  return reason ? text(`reason.${reason}`) : ''
}

function hoursOf(schedule: AccessRule['schedule']) {
  if (schedule === null) return text('explorer.hoursAlways')
  if (schedule.windows === null) return text('explorer.hoursGone')
  return text('explorer.hours', { hours: windowsInWords(schedule.windows) })
}
