import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { holidayDays } from './holiday-days.ts'
import { isOpenAtLocalTime } from './open-at-local-time.ts'
import type { Holiday, Schedule } from '../policy.ts'
import { holiday, schedule } from '../sample-policy.ts'
import { type ScheduleState, scheduleState } from './schedule.ts'
import { scheduleTable } from './schedule-table.ts'
import { dayMs, zoneTransitions } from './zone.ts'

const from = Date.parse('2025-10-01T00:00:00Z')
const until = Date.parse('2029-01-01T00:00:00Z')
const tables = new Map(
  ['Europe/London', 'America/New_York', 'Africa/Johannesburg', 'Australia/Lord_Howe', 'America/Havana'].map(
    (timeZone) => [timeZone, zoneTransitions({ timeZone, from, until })],
  ),
)

declare module 'vitest' {
  interface ProvidedContext {
    randomCases: number
  }
}

type At = { at: string; timeZone?: string; hours?: Partial<Schedule>; holidays?: Holiday[] }

function stateAt({ at, timeZone = 'Europe/London', hours = {}, holidays = [] }: At): ScheduleState {
  const table = scheduleTable(schedule(hours))
  const zone = tables.get(timeZone)
  if (table === null || zone === undefined) throw new Error('The test uses an invalid schedule or an unknown time zone')
  const days = holidayDays({ holidays, fromDay: from / dayMs, untilDay: until / dayMs })
  return scheduleState({ schedule: table, holidays: days, zone, at: Date.parse(at) })
}

function summaryOf(state: ScheduleState) {
  const iso = (at?: number) => (at === undefined ? undefined : new Date(at).toISOString().slice(0, 16))
  const { open, because, holiday: day, closedSince, opensAt, openUntil } = state
  return {
    open,
    because,
    holiday: day?.name,
    closedSince: iso(closedSince),
    opensAt: iso(opensAt),
    openUntil: iso(openUntil),
  }
}

describe('a schedule of working days', () => {
  test.each([
    [
      'just before it opens',
      '2026-11-18T05:59:59.999Z',
      { open: false, closedSince: '2026-11-17T18:00', opensAt: '2026-11-18T06:00' },
    ],
    ['as it opens', '2026-11-18T06:00:00Z', { open: true, openUntil: '2026-11-18T18:00' }],
    ['in its last millisecond', '2026-11-18T17:59:59.999Z', { open: true, openUntil: '2026-11-18T18:00' }],
    [
      'as it closes',
      '2026-11-18T18:00:00Z',
      { open: false, closedSince: '2026-11-18T18:00', opensAt: '2026-11-19T06:00' },
    ],
    [
      'on Friday evening',
      '2026-11-20T18:42:07Z',
      { open: false, closedSince: '2026-11-20T18:00', opensAt: '2026-11-23T06:00' },
    ],
  ])('%s', (_, at, expected) => {
    expect(summaryOf(stateAt({ at }))).toMatchObject(expected)
  })
})

describe('several windows a day', () => {
  const hours = {
    windows: [
      { days: [3], start: '13:00', end: '17:00' },
      { days: [3], start: '08:00', end: '12:00' },
      { days: [3], start: '16:00', end: '19:00' },
    ],
  }
  test('leave a break between them', () => {
    expect(summaryOf(stateAt({ at: '2026-11-18T12:30:00Z', hours }))).toMatchObject({
      open: false,
      because: 'no_window',
      closedSince: '2026-11-18T12:00',
      opensAt: '2026-11-18T13:00',
    })
  })
  test('are one period where they overlap', () => {
    expect(summaryOf(stateAt({ at: '2026-11-18T14:00:00Z', hours }))).toMatchObject({ openUntil: '2026-11-18T19:00' })
  })
})

describe('a window over midnight', () => {
  const nights = { windows: [{ days: [1, 2, 3, 4, 5], start: '22:00', end: '06:00' }] }

  test('is open on both sides of midnight, as one period', () => {
    expect(summaryOf(stateAt({ at: '2026-11-17T23:00:00Z', hours: nights }))).toMatchObject({
      openUntil: '2026-11-18T06:00',
    })
    expect(summaryOf(stateAt({ at: '2026-11-18T05:00:00Z', hours: nights }))).toMatchObject({
      openUntil: '2026-11-18T06:00',
    })
  })
  test('belongs to the day it starts on: Friday night reaches into Saturday, and there is no Sunday night', () => {
    expect(stateAt({ at: '2026-11-21T05:00:00Z', hours: nights }).open).toBe(true)
    expect(stateAt({ at: '2026-11-23T05:00:00Z', hours: nights }).open).toBe(false)
  })
  test('is cut at both midnights of a holiday', () => {
    const holidays = [holiday()]
    const before = stateAt({ at: '2026-11-17T23:00:00Z', hours: nights, holidays })
    expect(summaryOf(before)).toMatchObject({ open: true, openUntil: '2026-11-18T00:00' })
    const during = stateAt({ at: '2026-11-18T05:00:00Z', hours: nights, holidays })
    expect(summaryOf(during)).toEqual({
      open: false,
      because: 'holiday',
      holiday: "Founders' Day",
      closedSince: '2026-11-18T00:00',
      opensAt: '2026-11-19T00:00',
      openUntil: undefined,
    })
    // Wednesday's window reaches into Thursday, which is no holiday.
    expect(summaryOf(stateAt({ at: '2026-11-19T05:00:00Z', hours: nights, holidays }))).toMatchObject({
      open: true,
      openUntil: '2026-11-19T06:00',
    })
  })
  test('that starts and ends at the same time is a whole day', () => {
    const hours = { windows: [{ days: [3], start: '09:00', end: '09:00' }] }
    expect(summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', hours }))).toMatchObject({ openUntil: '2026-11-19T09:00' })
  })
})

describe('whole days', () => {
  const always = { windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }] }
  test('never close', () => {
    expect(summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', hours: always }))).toMatchObject({
      open: true,
      openUntil: undefined,
    })
  })
  test('report a holiday that is seven weeks ahead, but not one nine weeks ahead', () => {
    const on = (date: string) => [holiday({ dates: [{ from: date, until: date, recurring: false }] })]
    expect(summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', hours: always, holidays: on('2027-01-06') }))).toMatchObject(
      {
        openUntil: '2027-01-06T00:00',
      },
    )
    expect(
      summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', hours: always, holidays: on('2027-01-20') })).openUntil,
    ).toBeUndefined()
  })
  test('a schedule without windows never opens', () => {
    expect(summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', hours: { windows: [] } }))).toEqual({
      open: false,
      because: 'no_window',
    })
  })
})

describe('a holiday', () => {
  const own = (start: string, end: string) =>
    ({ holidayHours: { public: 'closed', company: [{ start, end }], special: 'asUsual' } }) as const

  test('closes a working day', () => {
    expect(summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', holidays: [holiday()] }))).toMatchObject({
      open: false,
      because: 'holiday',
      closedSince: '2026-11-17T18:00',
      opensAt: '2026-11-19T06:00',
    })
  })
  test('has no effect if the schedule continues as usual', () => {
    const holidays = [holiday({ kind: 'special' })]
    expect(summaryOf(stateAt({ at: '2026-11-18T10:00:00Z', hours: own('10:00', '12:00'), holidays }))).toMatchObject({
      open: true,
      openUntil: '2026-11-18T18:00',
    })
  })
  test('applies its own hours, also on a Sunday', () => {
    const holidays = [holiday({ dates: [{ from: '2026-11-22', until: '2026-11-22', recurring: false }] })]
    const hours = own('10:00', '12:00')
    expect(summaryOf(stateAt({ at: '2026-11-22T11:00:00Z', hours, holidays }))).toMatchObject({
      open: true,
      because: 'window',
      openUntil: '2026-11-22T12:00',
    })
    expect(summaryOf(stateAt({ at: '2026-11-22T13:00:00Z', hours, holidays }))).toMatchObject({
      open: false,
      because: 'holiday',
    })
  })
  test('ends at midnight even if its own hours reach further', () => {
    const hours = { ...own('22:00', '04:00'), windows: [] }
    expect(summaryOf(stateAt({ at: '2026-11-18T23:00:00Z', hours, holidays: [holiday()] }))).toMatchObject({
      open: true,
      openUntil: '2026-11-19T00:00',
    })
  })
  test('that closes overrides another on the same day that does not', () => {
    const holidays = [holiday({ _id: 'a', kind: 'special' }), holiday({ _id: 'b', kind: 'public' })]
    expect(stateAt({ at: '2026-11-18T10:00:00Z', hours: own('10:00', '12:00'), holidays }).open).toBe(false)
  })
})

describe('the clock changes', () => {
  const nightly = { windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '01:30', end: '02:30' }] }
  test.each([
    [
      'London, spring: 01:30 is skipped, so it opens at 02:00',
      'Europe/London',
      '2026-03-29T00:59:59Z',
      { open: false, opensAt: '2026-03-29T01:00' },
    ],
    [
      'London, spring: open until 02:30 summer time',
      'Europe/London',
      '2026-03-29T01:00:00Z',
      { open: true, openUntil: '2026-03-29T01:30' },
    ],
    [
      'London, autumn: open in the first 01:30, until the clock goes back',
      'Europe/London',
      '2026-10-25T00:45:00Z',
      { open: true, openUntil: '2026-10-25T01:00' },
    ],
    [
      'London, autumn: closed again at the second 01:15',
      'Europe/London',
      '2026-10-25T01:15:00Z',
      { open: false, closedSince: '2026-10-25T01:00', opensAt: '2026-10-25T01:30' },
    ],
    [
      'London, autumn: open in the second 01:30',
      'Europe/London',
      '2026-10-25T01:45:00Z',
      { open: true, openUntil: '2026-10-25T02:30' },
    ],
    [
      'New York, spring: 02:00 is skipped, so it closes then',
      'America/New_York',
      '2026-03-08T06:45:00Z',
      { open: true, openUntil: '2026-03-08T07:00' },
    ],
    [
      'New York, autumn: open in the first 01:30, until the clock goes back',
      'America/New_York',
      '2026-11-01T05:45:00Z',
      { open: true, openUntil: '2026-11-01T06:00' },
    ],
    [
      'New York, autumn: open in the second',
      'America/New_York',
      '2026-11-01T06:45:00Z',
      { open: true, openUntil: '2026-11-01T07:30' },
    ],
    [
      'Johannesburg has no clock changes',
      'Africa/Johannesburg',
      '2026-03-28T23:45:00Z',
      { open: true, openUntil: '2026-03-29T00:30' },
    ],
  ])('%s', (_, timeZone, at, expected) => {
    expect(summaryOf(stateAt({ at, timeZone, hours: nightly }))).toMatchObject(expected)
  })
  test.each([
    ['Europe/London', '2026-03-27T12:00:00Z', '2026-03-27T18:00', '2026-03-30T05:00'],
    ['Europe/London', '2026-10-23T12:00:00Z', '2026-10-23T17:00', '2026-10-26T06:00'],
    ['America/New_York', '2026-03-06T12:00:00Z', '2026-03-06T23:00', '2026-03-09T10:00'],
    ['America/New_York', '2026-10-30T12:00:00Z', '2026-10-30T22:00', '2026-11-02T11:00'],
    ['Africa/Johannesburg', '2026-03-27T12:00:00Z', '2026-03-27T16:00', '2026-03-30T04:00'],
  ])(
    'working hours in %s stay at the same local time over the weekend of a change (%s)',
    (timeZone, at, closes, opens) => {
      expect(summaryOf(stateAt({ at, timeZone }))).toMatchObject({ open: true, openUntil: closes })
      expect(summaryOf(stateAt({ at: `${closes}:00Z`, timeZone }))).toMatchObject({
        open: false,
        closedSince: closes,
        opensAt: opens,
      })
    },
  )
})

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '59'))
  .map(([hour, minute]) => `${`${hour}`.padStart(2, '0')}:${minute}`)
const hoursArbitrary = fc.record({ start: clock, end: fc.oneof(clock, fc.constant('24:00')) })
const scheduleArbitrary = fc.record({
  windows: fc.array(
    fc
      .tuple(hoursArbitrary, fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }))
      .map(([hours, days]) => ({ ...hours, days })),
    { maxLength: 4 },
  ),
  holidayHours: fc.record({
    public: fc.constant('closed' as const),
    company: fc.array(hoursArbitrary, { minLength: 1, maxLength: 2 }),
    special: fc.constant('asUsual' as const),
  }),
})
const anywhere = fc.integer({ min: Date.parse('2026-01-10T00:00:00Z'), max: Date.parse('2027-12-31T00:00:00Z') })

/** Instants of a zone, half of them within a day of one of its clock changes. */
function instantsIn(timeZone: string) {
  const changes = (tables.get(timeZone)?.transitions ?? []).map(({ at }) => at)
  if (changes.length === 0) return anywhere
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -dayMs, max: dayMs }))
    .map(([change, offset]) => change + offset)
  return fc.oneof(anywhere, nearChange)
}

/** A holiday within a day of an instant, or on any day. */
function holidaysNear(instant: number) {
  const days = fc.oneof(
    fc.constantFrom(-dayMs, 0, dayMs).map((offset) => instant + offset),
    anywhere,
  )
  return fc
    .tuple(fc.constantFrom('public' as const, 'company' as const, 'special' as const), days)
    .map(([kind, at]) => {
      const date = new Date(at).toISOString().slice(0, 10)
      return holiday({ _id: `${kind}-${date}`, kind, dates: [{ from: date, until: date, recurring: true }] })
    })
}

describe('in any zone, with any windows and holidays', () => {
  const cases = fc
    .constantFrom(...tables.keys())
    .chain((timeZone) => instantsIn(timeZone).map((instant) => ({ timeZone, instant })))
    .chain(({ timeZone, instant }) =>
      fc.record({
        hours: scheduleArbitrary,
        holidays: fc.array(holidaysNear(instant), { maxLength: 3 }),
        timeZone: fc.constant(timeZone),
        instant: fc.constant(instant),
      }),
    )

  test('a schedule is open exactly when the local time of the zone database is within one of its windows', () => {
    fc.assert(
      fc.property(cases, ({ hours, holidays, timeZone, instant }) => {
        const state = stateAt({ at: new Date(instant).toISOString(), timeZone, hours, holidays })
        expect(state.open).toBe(isOpenAtLocalTime({ hours, holidays, timeZone, instant }))
      }),
      { numRuns: 50 * inject('randomCases') },
    )
  })

  test('the reported change is a change, and nothing changes before it', () => {
    fc.assert(
      fc.property(cases, fc.double({ min: 0, max: 1, noNaN: true }), ({ instant, ...rest }, part) => {
        const isOpen = (at: number) => stateAt({ ...rest, at: new Date(at).toISOString() }).open
        const { open, openUntil, opensAt, closedSince } = stateAt({ ...rest, at: new Date(instant).toISOString() })
        const next = openUntil ?? opensAt
        if (next !== undefined) {
          expect(next).toBeGreaterThan(instant)
          expect(isOpen(next)).toBe(!open)
          expect(isOpen(Math.floor(instant + (next - 1 - instant) * part))).toBe(open)
        }
        if (closedSince !== undefined) {
          expect(isOpen(closedSince - 1)).toBe(true)
          expect(isOpen(Math.ceil(closedSince + (instant - closedSince) * part))).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
})
