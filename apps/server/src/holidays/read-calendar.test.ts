import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test, vi } from 'vitest'
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

test('no number of a file is counted up to, however large', () => {
  const digits = fc.oneof(fc.nat().map(String), fc.constantFrom('0', '3000000000', '9007199254740991', '9'.repeat(400)))
  const date = fc.oneof(
    fc.stringMatching(/^\d{8}$/),
    fc.stringMatching(/^\d{8}T\d{6}Z?$/),
    fc.constantFrom('00000101', '99991231', '20260101'),
  )
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('W', 'D'), digits).map(([unit, number]) => `DURATION:P${number}${unit}`),
    fc.tuple(fc.constantFrom('H', 'M', 'S'), digits).map(([unit, number]) => `DURATION:PT${number}${unit}`),
    date.map((value) => `DTEND;TZID=Own:${value}`),
    date.map((value) => `EXDATE;TZID=UTC:${value},${value}`),
    fc.tuple(digits, digits).map(([count, interval]) => `RRULE:FREQ=YEARLY;COUNT=${count};INTERVAL=${interval}`),
    fc.tuple(date, digits).map(([until, interval]) => `RRULE:FREQ=YEARLY;UNTIL=${until};INTERVAL=${interval}`),
  )
  const start = fc.tuple(fc.constantFrom('', ';VALUE=DATE', ';TZID=UTC', ';TZID=Own'), date)
  // A time zone whose change never happens: ical.js looks for it without an end.
  const zones = ['UTC', 'Own'].flatMap((id) => [
    'BEGIN:VTIMEZONE',
    `TZID:${id}`,
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'END:STANDARD',
    'END:VTIMEZONE',
  ])
  let steps = 0
  const counted = vi.spyOn(ICAL.Time, 'daysInMonth').mockImplementation(() => {
    steps += 1
    if (steps > 1_000) throw new Error('counted month by month')
    return 28
  })
  fc.assert(
    fc.property(start, fc.array(line, { maxLength: 3 }), ([parameter, from], lines) => {
      const text = file(['SUMMARY:Day', `DTSTART${parameter}:${from}`, ...lines])
      const [event] = readCalendar(text.replace('VERSION:2.0', ['VERSION:2.0', ...zones].join('\r\n')), { year: 2026 })
      const dates = event?.rejection === undefined ? (event?.dates ?? []) : []
      expect(dates.length).toBeLessThanOrEqual(50)
    }),
  )
  expect(steps).toBe(0)
  counted.mockRestore()
})

test.each([
  ['a duration of many days', ['DTSTART;VALUE=DATE:20260101', 'DURATION:P9007199254740991D'], 'invalid'],
  ['a duration of many weeks', ['DTSTART;VALUE=DATE:20260101', 'DURATION:P3000000000W'], 'invalid'],
  ['an end in the year 9999', ['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:99990101'], 'invalid'],
  ['the year 0', ['DTSTART;VALUE=DATE:00000101'], 'invalid'],
  ['a day that does not exist', ['DTSTART;VALUE=DATE:20260230'], 'not_whole_days'],
])('an event that cannot be stored is rejected: %s', (_what, lines, rejection) => {
  expect(read(...lines)).toMatchObject({ rejection })
})

test('a line with a great many parameters is not read', () => {
  const parameters = ';a=b'.repeat(5_000)
  expect(() => read(`DTSTART${parameters}:20260101`)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  expect(read('DTSTART;VALUE=DATE:20260101', `DESCRIPTION${parameters}:long`)).toMatchObject({ dates: { length: 1 } })
})

test('a name that is too long ends before a character that would be cut', () => {
  const [event] = readCalendar(file([`SUMMARY:${'x'.repeat(119)}\u{1F389}`, 'DTSTART;VALUE=DATE:20260101']), {
    year: 2026,
  })
  expect(event?.name.isWellFormed()).toBe(true)
})
