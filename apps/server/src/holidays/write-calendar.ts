import type { FoundHoliday } from '@portcullis/contract/calls/import-holidays'

export type ExportedHoliday = FoundHoliday & { _id: string; updatedAt: string }

/** An iCalendar file (RFC 5545) with one event for each date of the holidays. Yields after each holiday. */
export function* writeCalendar(
  holidays: Iterable<ExportedHoliday>,
  calendar: string | undefined,
): Generator<undefined, string> {
  const parts = [linesOf(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Portcullis//Holidays//EN'])]
  if (calendar !== undefined) parts.push(linesOf([`X-WR-CALNAME:${escaped(calendar)}`]))
  for (const holiday of holidays) {
    parts.push(linesOf(eventsOf(holiday)))
    yield
  }
  return [...parts, linesOf(['END:VCALENDAR'])].join('')
}

function eventsOf({ _id, name, kind, dates, updatedAt }: ExportedHoliday) {
  const stamp = new Date(updatedAt).toISOString().slice(0, 19)
  return dates.flatMap(({ from, until, recurring }, index) => [
    'BEGIN:VEVENT',
    `UID:${_id}-${index + 1}@portcullis`,
    `DTSTAMP:${compact(stamp)}Z`,
    `DTSTART;VALUE=DATE:${compact(from)}`,
    `DTEND;VALUE=DATE:${compact(dayAfter(until))}`,
    ...(recurring ? ['RRULE:FREQ=YEARLY'] : []),
    `SUMMARY:${escaped(name)}`,
    `CATEGORIES:${kind}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
}

function compact(time: string) {
  return time.replaceAll(/[-:]/g, '')
}

function dayAfter(date: string) {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}

/** Text values (RFC 5545 3.3.11). */
function escaped(text: string) {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
}

function linesOf(lines: readonly string[]) {
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** RFC 5545 3.1, without the line break. */
const maxOctets = 75

function folded(line: string) {
  if (Buffer.byteLength(line) <= maxOctets) return line
  let octets = 0
  let text = ''
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > maxOctets) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += length
  }
  return text
}
