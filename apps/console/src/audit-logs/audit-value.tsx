import type { Collection } from '@portcullis/contract/collection'
import { contactNotices } from '@portcullis/contract/collections/contacts'
import { scheduleWindow } from '@portcullis/contract/collections/schedules'
import { z } from 'zod'
import { FieldValue } from '../item/field-value.tsx'
import { part } from '../item/item-parts.ts'
import { Time } from '../time/time.tsx'
import { hoursInWords, windowsInWords } from '../time/hours-in-words.ts'
import { text } from '../text/text.ts'
import { wordOf } from './value-words.ts'

type Props = { of: Collection; field: string; value: unknown }

/** A value as a person reads it: what the generic part can't know of hours, dates and choices is told here. */
export function AuditValue({ of, field, value }: Props) {
  const word = wordOf({ collection: of.name, field, value })
  if (word !== undefined) return <>{word}</>
  const windows = field === 'windows' ? z.array(scheduleWindow).safeParse(value).data : undefined
  if (windows) return <>{windowsInWords(windows)}</>
  const box = field === 'adhoc' ? timeBox.safeParse(value).data : undefined
  if (box) {
    return (
      <>
        <Time at={box.from} /> – <Time at={box.until} />
      </>
    )
  }
  const readers = field === 'directions' ? readersSchema.safeParse(value).data : undefined
  if (readers) return <>{readerWords(readers)}</>
  const notices = field === 'notify' ? z.array(z.enum(contactNotices)).safeParse(value).data : undefined
  if (notices) return <>{notices.map((notice) => text(`contacts.toldOf.${notice}`)).join(', ') || text('form.none')}</>
  const dates = field === 'dates' ? z.array(datesSchema).safeParse(value).data : undefined
  if (dates) return <>{dates.map(dateWords).join('; ')}</>
  if (isPlainObject(value)) return <Parts value={value} />
  return <FieldValue of={of} field={field} value={value} />
}

/** An object in an object, a line for each of its parts. */
function Parts({ value }: { value: object }) {
  return Object.keys(value).map((name) => (
    <span key={name} style={{ display: 'block' }}>
      {name}: {partWords(part(value, name))}
    </span>
  ))
}

function partWords(value: unknown): string {
  const hours = z.array(z.object({ start: z.string(), end: z.string() })).safeParse(value).data
  if (hours) return hours.map(hoursInWords).join(', ')
  if (value === 'asUsual' || value === 'closed') return text(`audit.values.${value}`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const timeBox = z.object({ from: z.iso.datetime({ offset: true }), until: z.iso.datetime({ offset: true }) })
const readersSchema = z.object({ entry: z.boolean(), exit: z.boolean() })
const datesSchema = z.object({ from: z.string(), until: z.string(), recurring: z.boolean() })

function readerWords({ entry, exit }: z.output<typeof readersSchema>) {
  const words = [entry && text('audit.values.entry'), exit && text('audit.values.exit')].filter(
    (each) => each !== false,
  )
  return words.join(', ') || text('audit.values.noReader')
}

function dateWords({ from, until, recurring }: z.output<typeof datesSchema>) {
  const dates = from === until ? from : text('audit.values.fromUntil', { from, until })
  return recurring ? text('audit.values.everyYear', { dates }) : dates
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
