import { expect, test } from 'vitest'
import { readCalendar } from './read-calendar.ts'

const file = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n')
const read = (...lines: string[]) => readCalendar(file(['SUMMARY:Day', ...lines]), { year: 2026 })[0]
const on = (from: string, until = from) => ({ from, until, recurring: false })

test.each<[string, string[], object]>([
  ['one day', ['DTSTART;VALUE=DATE:20261216'], { dates: [on('2026-12-16')] }],
  [
    'several days',
    ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227'],
    { dates: [on('2026-12-24', '2026-12-26')] },
  ],
  [
    'a day that ends on itself',
    ['DTSTART;VALUE=DATE:20261216', 'DTEND;VALUE=DATE:20261216'],
    { dates: [on('2026-12-16')] },
  ],
  ['a duration', ['DTSTART;VALUE=DATE:20261231', 'DURATION:P2D'], { dates: [on('2026-12-31', '2027-01-01')] }],
  [
    'midnight to midnight in a zone',
    ['DTSTART;TZID=Africa/Johannesburg:20261216T000000', 'DTEND;TZID=Africa/Johannesburg:20261217T000000'],
    { dates: [on('2026-12-16')] },
  ],
  ['midnight in UTC', ['DTSTART:20261216T000000Z', 'DTEND:20261217T000000Z'], { dates: [on('2026-12-16')] }],
  ['a meeting', ['DTSTART:20261216T100000Z', 'DTEND:20261216T110000Z'], { rejection: 'not_whole_days' }],
  [
    'every year',
    ['DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY'],
    { dates: [{ ...on('2020-12-25'), recurring: true }] },
  ],
  [
    'every year, with its date',
    ['DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25'],
    { dates: [{ ...on('2020-12-25'), recurring: true }] },
  ],
  [
    'three times',
    ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;COUNT=3', 'EXDATE;VALUE=DATE:20270101'],
    { dates: [on('2026-01-01'), on('2028-01-01')] },
  ],
  [
    'every second year, until an end',
    ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;INTERVAL=2;UNTIL=20291231'],
    { dates: [on('2026-01-01'), on('2028-01-01')] },
  ],
  [
    'leap days only exist in leap years',
    ['DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY;COUNT=2'],
    { dates: [on('2024-02-29'), on('2028-02-29')] },
  ],
  [
    'a rule that never matches',
    ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    { rejection: 'unsupported_recurrence' },
  ],
  ['every second', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=SECONDLY'], { rejection: 'unsupported_recurrence' }],
  ['every week', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=WEEKLY;COUNT=9'], { rejection: 'unsupported_recurrence' }],
  [
    'a changed occurrence',
    ['DTSTART;VALUE=DATE:20260101', 'RECURRENCE-ID;VALUE=DATE:20260102'],
    { rejection: 'unsupported_recurrence' },
  ],
  ['a cancelled event', ['DTSTART;VALUE=DATE:20260101', 'STATUS:CANCELLED'], { rejection: 'cancelled' }],
  ['an event without a start', [], { rejection: 'not_whole_days' }],
])('an event is read: %s', (_what, lines, expected) => {
  expect(read(...lines)).toMatchObject(expected)
})

test('a weekday of a month is read for ten years, from this year on', () => {
  const thanksgiving = read('DTSTART;VALUE=DATE:20001123', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH')
  expect(thanksgiving).toMatchObject({ dates: { length: 11, 0: on('2026-11-26'), 1: on('2027-11-25') } })
  const last = read('DTSTART;VALUE=DATE:20260525', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=2')
  expect(last).toMatchObject({ dates: [on('2026-05-25'), on('2027-05-31')] })
})

test('a recurrence with more dates than a holiday can have is rejected', () => {
  const events = read('DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;COUNT=999999999')
  expect(events).toMatchObject({ rejection: 'too_many_dates' })
})

test('times in UTC are read on the clock of the time zone that the file names', () => {
  const text = file(['SUMMARY:Day', 'DTSTART:20261215T220000Z', 'DTEND:20261216T220000Z'])
  const zoned = text.replace('VERSION:2.0', 'VERSION:2.0\r\nX-WR-TIMEZONE:Africa/Johannesburg')
  expect(readCalendar(zoned, { year: 2026 })).toMatchObject([{ dates: [on('2026-12-16')] }])
  expect(readCalendar(text, { year: 2026 })).toMatchObject([{ rejection: 'not_whole_days' }])
})

test('names are unescaped and unfolded, and kinds come from the categories', () => {
  const [event] = readCalendar(
    file([
      'SUMMARY:Peace\\, love\\; and \\\\ a\\nnew',
      '  line',
      'CATEGORIES:Fun,Company',
      'DTSTART;VALUE=DATE:20261216',
    ]),
    { year: 2026 },
  )
  expect(event).toMatchObject({ name: 'Peace, love; and \\ a new line', kind: 'company' })
  const [nameless] = readCalendar(file(['DTSTART;VALUE=DATE:20261216']), { year: 2026 })
  expect(nameless).toEqual({ name: '', rejection: 'no_name' })
})

test.each([
  '',
  'hello',
  'BEGIN:VCARD\r\nEND:VCARD',
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT',
  'BEGIN:VCALENDAR\r\nnonsense\r\nEND:VCALENDAR',
])('anything else is not a calendar: %j', (text) => {
  expect(() => readCalendar(text, { year: 2026 })).toThrow(expect.objectContaining({ code: 'bad_request' }))
})

test('a file with too many events is refused', () => {
  const many = file(...Array.from({ length: 2_001 }, () => ['SUMMARY:Day', 'DTSTART;VALUE=DATE:20261216']))
  expect(() => readCalendar(many, { year: 2026 })).toThrow(expect.objectContaining({ code: 'bad_request' }))
})
