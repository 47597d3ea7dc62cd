import { DataTable } from '../list/data-table.tsx'
import type { Arrival } from '../list/data-row.tsx'
import { text } from '../text/text.ts'
import type { Event } from '../why/explanation.ts'
import type { EventColumn } from './event-columns.tsx'
import styles from './event-table.module.css'
import { outcomeOf, whenOf, whereOf, whoOf } from './event-words.ts'

type Props = {
  rows: readonly Event[]
  columns: readonly EventColumn[]
  /** The total, if it is known exactly. */
  total: number | undefined
  openId?: string | undefined
  arrivalOf?: (id: string) => Arrival | undefined
  minWidth?: number | undefined
  onOpen: (id: string) => void
}

/** Events in rows, as cards on phones. */
export function EventTable({ rows, total, arrivalOf, onOpen, ...table }: Props) {
  return (
    <DataTable
      {...table}
      label={text('events.title')}
      items={rows}
      total={total}
      firstAt={0}
      rowName={rowName}
      arrivalOf={({ _id }) => arrivalOf?.(_id)}
      onOpen={({ _id }) => onOpen(_id)}
      className={styles.events}
    />
  )
}

function rowName(event: Event) {
  const { time, day } = whenOf(event, new Date())
  const [outcome, person, door] = [outcomeOf(event).word, whoOf(event).name, whereOf(event).place]
  return text('events.name', { outcome, person, door, time: `${time} ${day}`.trimEnd() })
}
