import ICAL from 'ical.js'
import { z } from 'zod'

/** A value is as the parser writes it: dates as `2026-12-16`, durations as in the file, recurrences as an object. */
export type Property = { name: string; values: readonly unknown[] }
export type Component = { properties: readonly Property[] }

/**
 * The properties of a calendar and of its events that are read here; undefined if the text is no calendar. Values stay
 * as in the file: the dates and durations of ical.js are calculated month by month, and its time zones without a bound.
 */
export function parseCalendar(file: string): (Component & { events: Component[] }) | undefined {
  const lines = linesOf(file)
  const calendar = lines && componentOf(jCalOf(lines.join('\r\n')))
  if (calendar?.name !== 'vcalendar') return undefined
  const within = calendar.components.flatMap((each) => componentOf(each) ?? [])
  return { properties: calendar.properties, events: within.filter(({ name }) => name === 'vevent') }
}

const used =
  /^(?:BEGIN|END|SUMMARY|STATUS|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|CATEGORIES|X-WR-TIMEZONE)[;:]/i
/** The parser looks through the rest of a line for each parameter. */
const maxLine = 10_000

/** The unfolded lines that are read; undefined if one of them is too long, or is not a property. */
function linesOf(file: string) {
  const lines = file
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const read = lines.filter((line) => used.test(line))
  return lines.every((line) => line.includes(':')) && read.every(({ length }) => length <= maxLine) ? read : undefined
}

function jCalOf(text: string): unknown {
  try {
    return ICAL.parse(text)
  } catch {
    return undefined
  }
}

const property = z
  .tuple([z.string(), z.unknown(), z.string()], z.unknown())
  .transform(([name, , , ...values]): Property => ({ name, values }))
const component = z
  .tuple([z.string(), z.array(property), z.array(z.unknown())])
  .transform(([name, properties, components]) => ({ name, properties, components }))

function componentOf(jCal: unknown) {
  return component.safeParse(jCal).data
}
