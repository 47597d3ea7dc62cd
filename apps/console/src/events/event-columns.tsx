import type { EntityOf } from '@portcullis/contract/collection'
import type { events } from '@portcullis/contract/collections/events'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StateTag } from '../ui/state-tag.tsx'
import { viewerZone } from '../time/time-text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { text } from '../text/text.ts'
import styles from './event-table.module.css'
import { numberIn, outcomeOf, reasonOf, whereOf, whoOf } from './event-words.ts'
import { clock } from '../time/site-time.ts'
import type { Event } from '../why/why-telling.ts'

export type EventColumn = {
  key: string
  label: string
  /** Its share of a row, as a track of a grid. */
  track: string
  isExtra?: boolean
  phone?: 'title'
  /** The fields that a file of the list has for it, with their titles. */
  fields: Readonly<Partial<Record<keyof EntityOf<typeof events>, string>>>
  /** The time is drawn by the row itself, which it opens. */
  cell?: (event: Event) => ReactNode
}

export const eventColumns: readonly EventColumn[] = [
  {
    key: 'time',
    label: text('events.time'),
    track: '88px',
    phone: 'title',
    fields: { occurredAt: text('events.time') },
  },
  {
    key: 'outcome',
    label: text('events.outcome'),
    track: '132px',
    fields: { type: text('events.kind'), outcome: text('events.outcome') },
    cell: (event) => {
      const { state, word } = outcomeOf(event)
      return <StateTag state={state}>{word}</StateTag>
    },
  },
  {
    key: 'person',
    label: text('events.person'),
    track: 'minmax(150px, 1.25fr)',
    fields: { user: text('events.person') },
    cell: (event) => <Person event={event} />,
  },
  {
    key: 'door',
    label: text('events.door'),
    track: 'minmax(140px, 1.1fr)',
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
    track: 'minmax(120px, 1fr)',
    fields: { reason: text('events.reason'), backfilled: text('state.backfilled') },
    cell: (event) => <Reason event={event} />,
  },
  {
    key: 'credential',
    label: text('events.credential'),
    track: 'minmax(110px, 0.7fr)',
    isExtra: true,
    fields: { credential: text('events.credential') },
    cell: ({ data }) => numberIn(data) || dash,
  },
  {
    key: 'unit',
    label: text('events.unit'),
    track: 'minmax(110px, 0.8fr)',
    isExtra: true,
    fields: { unit: text('events.unit') },
    cell: ({ data }) => (data.names.unit ? <bdi>{data.names.unit}</bdi> : dash),
  },
  {
    key: 'kind',
    label: text('events.kind'),
    track: '110px',
    isExtra: true,
    fields: { category: text('events.kind') },
    cell: ({ category }) => text(`events.kinds.${category}`),
  },
  {
    key: 'received',
    label: text('events.received'),
    track: '96px',
    isExtra: true,
    fields: { receivedAt: text('events.received') },
    cell: ({ receivedAt }) => clock(receivedAt, viewerZone),
  },
]

const dash = <span className="soft">–</span>

function Person({ event }: { event: Event }) {
  const who = whoOf(event)
  return (
    <>
      <Avatar {...avatarOf(event, who)} />
      <span className={styles.words}>
        <bdi>{who.name}</bdi>
        {who.second && <bdi className="second">{who.second}</bdi>}
      </span>
    </>
  )
}

function avatarOf({ category }: Event, { name, mark }: ReturnType<typeof whoOf>) {
  if (mark === 'person') return { name }
  if (mark === 'card') return { sign: 'unknown' } as const
  return { sign: category === 'unit' ? 'unit' : 'nobody' } as const
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
          {text('events.backfilled', { time: clock(event.receivedAt, viewerZone).slice(0, 5) })}
        </span>
      )}
    </>
  )
}
