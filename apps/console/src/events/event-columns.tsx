import { IconHistory } from '@tabler/icons-react'
import type { LabelledColumn } from '../list/data-table.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { atZone, viewerZone } from '../time/time-text.ts'
import { siteClock } from '../time/site-clock.ts'
import { SiteTimeNote } from '../time/site-time-note.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { text } from '../text/text.ts'
import styles from './event-table.module.css'
import { numberIn, outcomeOf, reasonOf, whenOf, whereOf, whoOf } from './event-words.ts'
import { clock, clockMinutes } from '../time/site-time.ts'
import { useSiteZone } from '../item/use-site-zone.ts'
import { useMinute } from '../time/use-minute.ts'
import type { Event } from '../why/explanation.ts'

export type EventColumn = LabelledColumn<Event> & {
  /** The fields of an export of the list, with their titles. */
  fields: Readonly<Partial<Record<keyof Event, string>>>
}

export const eventColumns: readonly EventColumn[] = [
  {
    key: 'time',
    label: text('events.time'),
    width: '104px',
    phone: 'title',
    fields: { occurredAt: text('events.time') },
    cell: (event) => <EventTime event={event} />,
  },
  {
    key: 'outcome',
    label: text('events.outcome'),
    width: '140px',
    phone: 'plain',
    fields: { type: text('events.kind'), outcome: text('events.outcome') },
    cell: (event) => {
      const { state, word } = outcomeOf(event)
      return <StateTag state={state}>{word}</StateTag>
    },
  },
  {
    key: 'person',
    label: text('events.person'),
    phone: 'plain',
    fields: { user: text('events.person') },
    cell: (event) => <Person event={event} />,
  },
  {
    key: 'door',
    label: text('events.door'),
    phone: 'plain',
    fields: { door: text('events.door'), site: text('events.site'), direction: text('events.direction') },
    cell: (event) => {
      const where = whereOf(event)
      return (
        <>
          <bdi>{where.place}</bdi>
          {where.second && <bdi className="second">{where.second}</bdi>}
        </>
      )
    },
  },
  {
    key: 'reason',
    label: text('events.reason'),
    phone: 'plain',
    fields: { reason: text('events.reason'), backfilled: text('state.backfilled') },
    cell: (event) => <Reason event={event} />,
  },
  {
    key: 'credential',
    label: text('events.credential'),
    width: '164px',
    isExtra: true,
    fields: { credential: text('events.credential') },
    cell: ({ data }) => numberIn(data) || dash,
  },
  {
    key: 'unit',
    label: text('events.unit'),
    isExtra: true,
    fields: { unit: text('events.unit') },
    cell: ({ data }) => (data.names.unit ? <bdi>{data.names.unit}</bdi> : dash),
  },
  {
    key: 'kind',
    label: text('events.kind'),
    width: '122px',
    isExtra: true,
    fields: { category: text('events.kind') },
    cell: ({ category }) => text(`events.kinds.${category}`),
  },
  {
    key: 'received',
    label: text('events.received'),
    width: '108px',
    isExtra: true,
    fields: { receivedAt: text('events.received') },
    cell: ({ receivedAt }) => clock(receivedAt, viewerZone),
  },
]

/** With room for the site's time and its day, where one of these zones is not the viewer's. */
export function withSiteTimes(columns: readonly EventColumn[], zones: readonly (string | null | undefined)[]) {
  const isElsewhere = zones.some((zone) => (zone ?? viewerZone) !== viewerZone)
  return isElsewhere
    ? columns.map((column) => (column.key === 'time' ? { ...column, width: '152px' } : column))
    : columns
}

const dash = <span className="soft">–</span>

/** The time of an event in the viewer's time zone, its day unless it is today, and the time at the site where it differs. */
function EventTime({ event }: { event: Event }) {
  const { time, day } = whenOf(event, useMinute())
  const zone = useZone(event)
  const at = new Date(event.occurredAt)
  const isElsewhere = siteClock(at, { zone }) !== undefined
  return (
    <>
      <time dateTime={event.occurredAt} title={timeHint(at, zone)}>
        {time}
      </time>{' '}
      {/* The site's time takes the second line. */}
      {day && <span className={isElsewhere ? styles.day : 'second'}>{day}</span>}
      <SiteTimeNote at={at} zone={zone} isBelow />
    </>
  )
}

/** The full time for the viewer and, if it differs, at the site. */
function timeHint(at: Date, zone: string | undefined) {
  const own = atZone(at, viewerZone)
  if (!zone || siteClock(at, { zone }) === undefined) return own
  return `${own} · ${text('time.atSite', { time: atZone(at, zone) })}`
}

/** The time zone of its site; events of doors contain it. */
function useZone({ site, data }: Event): string | undefined {
  const timeZone = data.names.timeZone ?? undefined
  return useSiteZone(timeZone ? undefined : site) ?? timeZone
}

function Person({ event }: { event: Event }) {
  const who = whoOf(event)
  return (
    <span className={styles.person}>
      <Avatar {...avatarOf(event, who)} />
      <span className={styles.words}>
        <bdi>{who.name}</bdi>
        {who.second && <bdi className="second">{who.second}</bdi>}
      </span>
    </span>
  )
}

function avatarOf({ category }: Event, { name, mark }: ReturnType<typeof whoOf>) {
  if (mark === 'person') return { name }
  if (mark === 'card') return { sign: 'unknown' } as const
  return { sign: category === 'unit' ? 'unit' : 'none' } as const
}

function Reason({ event }: { event: Event }) {
  const why = reasonOf(event, viewerZone)
  return (
    <>
      <bdi>{why.line}</bdi>
      {why.second && <bdi className="second">{why.second}</bdi>}
      {event.backfilled && (
        <span className={styles.late}>
          <IconHistory size={13} aria-hidden="true" />
          {text('events.backfilled', { time: clockMinutes(event.receivedAt, viewerZone) })}
        </span>
      )}
    </>
  )
}
