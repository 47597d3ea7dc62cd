import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { type ExportedHoliday, writeCalendar } from './write-calendar.ts'

const on = (from: string) => ({ from, until: from, recurring: false })
const holiday = (fields: Partial<ExportedHoliday> = {}): ExportedHoliday => ({
  _id: '0198c0de-0000-7000-8000-000000000001',
  name: 'Day',
  kind: 'public',
  dates: [on('2026-12-31')],
  updatedAt: '2026-11-27T08:09:10.123Z',
  ...fields,
})

function written(holidays: readonly ExportedHoliday[], calendar?: string) {
  const steps = writeCalendar(holidays, calendar)
  for (let yields = 0; ; yields++) {
    const step = steps.next()
    if (step.done) return { text: step.value, yields }
  }
}

test('the file is as RFC 5545 writes it', () => {
  expect(written([holiday()], 'A; B').text.split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Portcullis//Holidays//EN',
    String.raw`X-WR-CALNAME:A\; B`,
    'BEGIN:VEVENT',
    'UID:0198c0de-0000-7000-8000-000000000001-1@portcullis',
    'DTSTAMP:20261127T080910Z',
    'DTSTART;VALUE=DATE:20261231',
    'DTEND;VALUE=DATE:20270101',
    'SUMMARY:Day',
    'CATEGORIES:public',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test.each([
  'é'.repeat(120),
  '\u{1F389}'.repeat(60),
  `${'x'.repeat(66)}\u{1F389} and more`,
  String.raw`back\slash, comma; semicolon: colon "quotes" \n`,
  'END:VEVENT\r\nBEGIN:VEVENT',
])('a name is read as it was written, in lines of at most 75 octets: %j', (name) => {
  const { text } = written([holiday({ name })])
  expect(text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  const events = ICAL.Component.fromString(text).getAllSubcomponents('vevent')
  expect(events.map((event) => event.getFirstPropertyValue('summary'))).toEqual([name.replace('\r\n', '\n')])
})

test('other requests can be answered after each holiday', () => {
  expect(written(Array.from({ length: 30 }, () => holiday())).yields).toBe(30)
})
