import { memo, type MouseEvent } from 'react'
import { atZone, viewerZone } from '../time/time-text.ts'
import { useRowKeys } from '../list/use-row-keys.ts'
import { text } from '../text/text.ts'
import type { EventColumn } from './event-columns.tsx'
import styles from './event-table.module.css'
import { outcomeOf, whereOf, whoOf } from './event-words.ts'
import { clock, weekday } from '../time/site-time.ts'
import type { Event } from '../why/why-telling.ts'
import type { Arrival } from './use-new-rows.ts'

type Props = {
  rows: readonly Event[]
  columns: readonly EventColumn[]
  now: Date
  openId: string | undefined
  arrivalOf: (id: string) => Arrival | undefined
  onOpen: (id: string) => void
}

/** Events in rows, as cards on telephones. The arrow keys go from row to row. */
export function EventTable({ rows, columns, now, openId, arrivalOf, onOpen }: Props) {
  const today = weekday(now.toISOString(), viewerZone)
  const keys = useRowKeys({ count: rows.length, bringIntoView: () => undefined, onSelect: openAt })
  const tracks = columns.map(({ track }) => track).join(' ')

  function openAt(index: number) {
    const event = rows[index]
    if (event) onOpen(event._id)
  }

  return (
    <div
      role="table"
      aria-label={text('events.title')}
      className={styles.table}
      ref={(table) => table?.style.setProperty('--tracks', tracks)}
    >
      <div role="rowgroup">
        <div role="row" className={styles.head}>
          {columns.map(({ key, label }) => (
            <span key={key} role="columnheader">
              {label}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" onKeyDown={keys}>
        {rows.map((event, index) => (
          <Row
            key={event._id}
            event={event}
            index={index}
            columns={columns}
            today={today}
            isOpen={event._id === openId}
            arrival={arrivalOf(event._id)}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  )
}

type RowProps = {
  event: Event
  index: number
  columns: readonly EventColumn[]
  today: string
  isOpen: boolean
  arrival: Arrival | undefined
  onOpen: (id: string) => void
}

/** Drawn again for every row that arrives above it, for its place is another then; its cells are not. */
function Row({ event, index, columns, today, isOpen, arrival, onOpen }: RowProps) {
  function openUnlessSelecting(pressed: MouseEvent) {
    const isOther = pressed.target instanceof Element && pressed.target.closest('a, button')
    if (!isOther && !document.getSelection()?.toString()) onOpen(event._id)
  }

  return (
    <div
      role="row"
      className={styles.row}
      data-index={index}
      data-open={isOpen ? '' : undefined}
      data-new={arrival}
      onClick={openUnlessSelecting}
    >
      <Cells event={event} columns={columns} today={today} isOpen={isOpen} onOpen={onOpen} />
    </div>
  )
}

type CellsProps = Pick<RowProps, 'event' | 'columns' | 'today' | 'isOpen' | 'onOpen'>

const Cells = memo(function Cells({ event, columns, today, isOpen, onOpen }: CellsProps) {
  return columns.map(({ key, cell }) => (
    <span key={key} role="cell" className={styles.cell} data-column={key}>
      {cell ? cell(event) : <TimeCell event={event} today={today} isOpen={isOpen} onOpen={onOpen} />}
    </span>
  ))
})

function TimeCell({ event, today, isOpen, onOpen }: Omit<CellsProps, 'columns'>) {
  const time = clock(event.occurredAt, viewerZone)
  const day = weekday(event.occurredAt, viewerZone)
  const said = { outcome: outcomeOf(event).word, person: whoOf(event).name, door: whereOf(event).place, time }
  return (
    <>
      <button
        type="button"
        className={styles.opener}
        data-row-opener=""
        aria-label={text('events.openEvent', said)}
        aria-expanded={isOpen}
        onClick={() => onOpen(event._id)}
      >
        <time dateTime={event.occurredAt} title={timeHint(event)}>
          {time}
        </time>
      </button>
      {day !== today && <span className="second">{day}</span>}
    </>
  )
}

/** The moment here and, where it is another, on the wall of the site. */
function timeHint({ occurredAt, data }: Event) {
  const own = atZone(new Date(occurredAt), viewerZone)
  const { timeZone } = data.names
  if (!timeZone || timeZone === viewerZone) return own
  return `${own} · ${text('time.atSite', { time: atZone(new Date(occurredAt), timeZone) })}`
}
