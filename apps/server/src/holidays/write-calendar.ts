import type { FoundHoliday } from '@portcullis/contract/calls/import-holidays'
import ICAL from 'ical.js'

export type ExportedHoliday = FoundHoliday & { _id: string; updatedAt: string }

/** An iCalendar file (RFC 5545) with one event for each date of the holidays. */
export function writeCalendar(holidays: readonly ExportedHoliday[], calendar: string | undefined): string {
  const file = new ICAL.Component('vcalendar')
  file.addPropertyWithValue('version', '2.0')
  file.addPropertyWithValue('prodid', '-//Portcullis//Holidays//EN')
  if (calendar !== undefined) file.addPropertyWithValue('x-wr-calname', calendar)
  for (const holiday of holidays) for (const event of eventsOf(holiday)) file.addSubcomponent(event)
  return `${file.toString()}\r\n`
}

function eventsOf({ _id, name, kind, dates, updatedAt }: ExportedHoliday) {
  return dates.map(({ from, until, recurring }, index) => {
    const event = new ICAL.Component('vevent')
    event.addPropertyWithValue('uid', `${_id}-${index + 1}@portcullis`)
    event.addPropertyWithValue('dtstamp', ICAL.Time.fromJSDate(new Date(updatedAt), true))
    event.addPropertyWithValue('dtstart', ICAL.Time.fromDateString(from))
    event.addPropertyWithValue('dtend', ICAL.Time.fromDateString(dayAfter(until)))
    if (recurring) event.addPropertyWithValue('rrule', ICAL.Recur.fromString('FREQ=YEARLY'))
    event.addPropertyWithValue('summary', name)
    event.addPropertyWithValue('categories', kind)
    event.addPropertyWithValue('transp', 'TRANSPARENT')
    return event
  })
}

function dayAfter(date: string) {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}
