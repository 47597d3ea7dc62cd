import { IconHistory } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type MouseEvent } from 'react'
import { StateTag } from '../collection/state-tag.tsx'
import { atZone, viewerZone } from '../collection/time-text.ts'
import { Avatar } from '../parts/avatar.tsx'
import { text } from '../text/text.ts'
import styles from './event-table.module.css'
import { outcomeOf, reasonOf, whereOf, whoOf } from './event-words.ts'
import { clock, weekday } from './site-time.ts'
import type { Event } from './why-telling.ts'

type Props = {
  rows: readonly Event[]
  now: Date
  openId: string | undefined
  isNew: (id: string) => boolean
  onOpen: (id: string) => void
}

const columns = ['time', 'outcome', 'person', 'door', 'reason'] as const

/** Events in rows, as cards on telephones. The arrow keys go from row to row. */
export function EventTable({ rows, now, openId, isNew, onOpen }: Props) {
  const today = weekday(now.toISOString(), viewerZone)
  return (
    <div role="table" aria-label={text('events.title')} className={styles.table}>
      <div role="rowgroup">
        <div role="row" className={styles.head}>
          {columns.map((column) => (
            <span key={column} role="columnheader">
              {text(`events.${column}`)}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" onKeyDown={moveFocus}>
        {rows.map((event) => (
          <Row
            key={event._id}
            event={event}
            today={today}
            isOpen={event._id === openId}
            isNew={isNew(event._id)}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  )
}

type RowProps = { event: Event; today: string; isOpen: boolean; isNew: boolean; onOpen: (id: string) => void }

const Row = memo(function Row({ event, today, isOpen, isNew, onOpen }: RowProps) {
  const { state, word } = outcomeOf(event)
  const who = whoOf(event)
  const where = whereOf(event)
  const why = reasonOf(event, viewerZone)
  const day = weekday(event.occurredAt, viewerZone)
  const time = clock(event.occurredAt, viewerZone)

  function openUnlessSelecting(pressed: MouseEvent) {
    const isOther = pressed.target instanceof Element && pressed.target.closest('a, button')
    if (!isOther && !document.getSelection()?.toString()) onOpen(event._id)
  }

  return (
    <div
      role="row"
      className={styles.row}
      data-open={isOpen ? '' : undefined}
      data-new={isNew ? '' : undefined}
      onClick={openUnlessSelecting}
    >
      <span role="cell" className={styles.time}>
        <button
          type="button"
          className={styles.opener}
          aria-label={text('events.openEvent', { outcome: word, person: who.name, door: where.place, time })}
          aria-expanded={isOpen}
          onClick={() => onOpen(event._id)}
        >
          <time dateTime={event.occurredAt} title={timeHint(event)}>
            {time}
          </time>
        </button>
        {day !== today && <span className="second">{day}</span>}
      </span>
      <span role="cell" className={styles.outcome}>
        <StateTag state={state}>{word}</StateTag>
      </span>
      <span role="cell" className={styles.person}>
        <Avatar {...avatarOf(event, who)} />
        <span className={styles.words}>
          <bdi>{who.name}</bdi>
          {who.second && <bdi className="second">{who.second}</bdi>}
        </span>
      </span>
      <span role="cell" className={styles.door}>
        <bdi>{where.place}</bdi>
        {where.second && <bdi className="second">{where.second}</bdi>}
      </span>
      <span role="cell" className={styles.reason}>
        <bdi>{why.line}</bdi>
        {why.second && <bdi className="second">{why.second}</bdi>}
        {event.backfilled && (
          <span className={styles.late}>
            <IconHistory size={13} aria-hidden="true" />
            {text('events.backfilled', { time: clock(event.receivedAt, viewerZone).slice(0, 5) })}
          </span>
        )}
      </span>
    </div>
  )
})

function avatarOf({ category }: Event, { name, mark }: ReturnType<typeof whoOf>) {
  if (mark === 'person') return { name }
  if (mark === 'card') return { sign: 'unknown' } as const
  return { sign: category === 'unit' ? 'unit' : 'nobody' } as const
}

/** The moment here and, where it is another, on the wall of the site. */
function timeHint({ occurredAt, data }: Event) {
  const own = atZone(new Date(occurredAt), viewerZone)
  const { timeZone } = data.names
  if (!timeZone || timeZone === viewerZone) return own
  return `${own} · ${text('time.atSite', { time: atZone(new Date(occurredAt), timeZone) })}`
}

function moveFocus(pressed: KeyboardEvent<HTMLElement>) {
  const step = steps[pressed.key]
  if (step === undefined) return
  const openers = [...pressed.currentTarget.querySelectorAll('button')]
  const index = openers.findIndex((opener) => opener === document.activeElement)
  const next = openers[index + step]
  if (index === -1 || !next) return
  pressed.preventDefault()
  next.focus()
}

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
