import type { Collection } from '@portcullis/contract/collection'
import { contactNotices } from '@portcullis/contract/collections/contacts'
import { scheduleWindow } from '@portcullis/contract/collections/schedules'
import type { ReactElement, ReactNode } from 'react'
import { z } from 'zod'
import { FieldValue } from '../item/field-value.tsx'
import { part } from '../item/item-parts.ts'
import { wordOfValue } from '../item/value-words.ts'
import { Time } from '../time/time.tsx'
import { hoursInWords, windowsInWords } from '../time/hours-in-words.ts'
import { dateText } from '../time/parse-date.ts'
import { text } from '../text/text.ts'
import { listOf } from '../text/catalogue.ts'

type Props = { of: Collection; field: string; value: unknown }

/** A value in words: hours, dates and choices, which the generic part cannot format. */
export function AuditValue({ of, field, value }: Props) {
  const word = wordOfValue({ collection: of.name, field, value })
  if (word !== undefined) return <>{word}</>
  const special = Object.hasOwn(specialFields, field) ? specialFields[field]?.(value) : undefined
  if (special) return special
  if (isPlainObject(value)) return <ObjectFields value={value} />
  return <FieldValue of={of} field={field} value={value} />
}

/** How fields of a special type are shown; undefined for a value of another type, such as that of an old entry. */
const specialFields: Record<string, (value: unknown) => ReactElement | undefined> = {
  windows: shown(z.array(scheduleWindow), (windows) => windowsInWords(windows)),
  adhoc: shown(timeBox(), ({ from, until }) => (
    <>
      <Time at={from} /> – <Time at={until} />
    </>
  )),
  directions: shown(readers(), readerWords),
  notify: shown(
    z.array(z.enum(contactNotices)),
    (notices) => listOf(notices.map((notice) => text(`contacts.notifyKinds.${notice}`))) || text('form.none'),
  ),
  enrolmentCodeUntil: shown(z.iso.datetime({ offset: true }), (at) => <Time at={at} />),
  dates: shown(z.array(calendarDates()), (dates) => dates.map(dateWords).join('; ')),
}

function shown<S extends z.ZodType>(schema: S, show: (value: z.output<S>) => ReactNode) {
  return (value: unknown) => {
    const { data } = schema.safeParse(value)
    return data === undefined ? undefined : <>{show(data)}</>
  }
}

/** An object in an object, with a line for each of its properties. */
function ObjectFields({ value }: { value: object }) {
  return Object.keys(value).map((name) => (
    <span key={name} style={{ display: 'block' }}>
      {name}: {partWords(part(value, name))}
    </span>
  ))
}

function partWords(value: unknown): string {
  const hours = z.array(z.object({ start: z.string(), end: z.string() })).safeParse(value).data
  if (hours) return listOf(hours.map(hoursInWords))
  if (value === 'asUsual' || value === 'closed') return text(`audit.values.${value}`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function timeBox() {
  return z.object({ from: z.iso.datetime({ offset: true }), until: z.iso.datetime({ offset: true }) })
}

function readers() {
  return z.object({ entry: z.boolean(), exit: z.boolean() })
}

function calendarDates() {
  return z.object({ from: z.string(), until: z.string(), recurring: z.boolean() })
}

function readerWords({ entry, exit }: z.output<ReturnType<typeof readers>>) {
  const words = [entry && text('audit.values.entry'), exit && text('audit.values.exit')].filter(
    (each) => each !== false,
  )
  return listOf(words) || text('audit.values.noReader')
}

function dateWords({ from, until, recurring }: z.output<ReturnType<typeof calendarDates>>) {
  const dates =
    from === until ? dateText(from) : text('audit.values.fromUntil', { from: dateText(from), until: dateText(until) })
  return recurring ? text('audit.values.everyYear', { dates }) : dates
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
