import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hours, Window } from '../policy.ts'
import { holiday, schedule } from '../sample-policy.ts'
import { holidayDays } from '../time/holiday-days.ts'
import { scheduleState } from '../time/schedule.ts'
import { scheduleTable } from '../time/schedule-table.ts'
import { dayMs, zoneTransitions } from '../time/zone.ts'
import { scheduleReading } from './schedule-reading.ts'

const from = Date.parse('2026-01-01T00:00:00Z')
const until = Date.parse('2029-01-01T00:00:00Z')
const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Africa/Cairo']

const clock = fc.constantFrom('00:00', '00:30', '01:00', '01:30', '02:00', '06:00', '12:00', '23:30')
const hours = fc.record({ start: clock, end: fc.oneof(clock, fc.constant('24:00')) })
const windows = fc.oneof(
  fc.array(
    fc.tuple(hours, fc.uniqueArray(fc.integer({ min: 1, max: 7 }))).map(([each, days]) => ({ ...each, days })),
    { maxLength: 3 },
  ),
  fc.constant([{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }]),
)
const holidayHours = fc.oneof(fc.constantFrom('closed' as const, 'asUsual' as const), fc.array(hours, { maxLength: 2 }))
const minuteMs = 60_000

/** In random order: some within a day of a change of the clocks, others up to ten weeks away, and the minutes beside. */
const attempts = fc.array(
  fc.oneof(
    fc.integer({ min: -1_500, max: 1_500 }),
    fc.integer({ min: -100_000, max: 100_000 }),
    fc.constantFrom(-dayMs / minuteMs, 0, dayMs / minuteMs),
  ),
  { minLength: 30, maxLength: 60, size: 'max' },
)

test('a remembered reading of a schedule is the one that is computed for the instant, also around changes of the clocks', () => {
  const run = fc.property(
    fc.constantFrom(...zones),
    fc.nat(5),
    windows,
    fc.record({ public: holidayHours, company: holidayHours, special: holidayHours }),
    fc.array(fc.tuple(fc.integer({ min: -70, max: 70 }), fc.constantFrom('public' as const, 'special' as const)), {
      maxLength: 3,
    }),
    attempts,
    fc.boolean(),
    (timeZone, change, ownWindows, ownHours, days, minutes, isInOrder) => {
      const zone = zoneTransitions({ timeZone, from, until })
      const middle = zone.transitions[change]?.at ?? Date.parse('2026-10-25T01:00:00Z')
      const holidays = holidayDays({
        holidays: days.map(([day, kind]) => {
          const date = new Date(middle + day * dayMs).toISOString().slice(0, 10)
          return holiday({ _id: `${kind} ${date}`, kind, dates: [{ from: date, until: date, recurring: false }] })
        }),
        fromDay: from / dayMs,
        untilDay: until / dayMs,
      })
      const table = scheduleTable(schedule({ windows: ownWindows, holidayHours: ownHours }))
      if (table === null) throw new Error('The test uses an invalid schedule')
      const calendar = { timeZone, zone, holidays }
      const instants = minutes.map((minute) => middle + minute * minuteMs - (minute % 3 === 0 ? 1 : 0))
      for (const at of isInOrder ? instants.sort((a, b) => a - b) : instants) {
        const expected = scheduleState({ schedule: table, holidays, zone, at })
        const { state, facts } = scheduleReading(calendar, table, at)
        expect(state).toEqual(expected)
        expect(facts.opensAt).toBe(expected.opensAt && new Date(expected.opensAt).toISOString())
      }
    },
  )
  fc.assert(run, { numRuns: 300 })
})

const always = [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }]

test.each<{ name: string; windows: Window[]; special: Hours }>([
  { name: 'opens on two days only', windows: [], special: { start: '08:00', end: '12:00' } },
  { name: 'closes on two days only', windows: always, special: { start: '00:00', end: '09:30' } },
])(
  'a remembered reading of a schedule that $name reports each from eight weeks before to eight weeks after',
  (hours) => {
    const holidays = {
      '2026-06-15': [{ _id: 'first', kind: 'special' as const }],
      '2026-08-24': [{ _id: 'second', kind: 'special' as const }],
    }
    const zone = zoneTransitions({ timeZone: 'Europe/London', from, until })
    const holidayHoursOf = { public: 'closed', company: 'closed', special: [hours.special] } as const
    const table = scheduleTable(schedule({ windows: hours.windows, holidayHours: holidayHoursOf }))
    if (table === null) throw new Error('The test uses an invalid schedule')
    const calendar = { timeZone: 'Europe/London', zone, holidays }
    for (const weeks of [-8, 8]) {
      const middle = Date.parse('2026-06-15T00:00:00Z') + weeks * 7 * dayMs
      for (let at = middle - dayMs; at < middle + 2 * dayMs; at += 10 * minuteMs) {
        expect(scheduleReading(calendar, table, at).state).toEqual(
          scheduleState({ schedule: table, holidays, zone, at }),
        )
      }
    }
  },
)
