import { expect, test } from 'vitest'
import { accessDays } from './access-days.ts'
import { gatherFacts, policyIndex } from '../decision/gather-facts.ts'
import type { Policy } from '../policy.ts'
import { holiday, rule, samplePolicy, schedule, site } from '../sample-policy.ts'

function daysFrom(at: string, changes: Partial<Policy> = {}) {
  const index = policyIndex(
    samplePolicy({ rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()], ...changes }),
  )
  const attempt = { door: 'door', credentialNumber: '0412-88213', direction: 'entry', at: Date.parse(at) } as const
  const short = (instant: number) => new Date(instant).toISOString().slice(5, 16)
  return accessDays(gatherFacts(index, attempt), 7).map(({ date, from, until, open, holidays }) => ({
    date,
    hours: (until - from) / 3_600_000,
    open: open.map((span) => `${short(span.from)} ${short(span.until)}`),
    holidays: holidays.map(({ name }) => name),
  }))
}

test('the days start with that of the question and show when the door opens and which holiday closes it', () => {
  const days = daysFrom('2026-11-17T20:00:00Z', { holidays: [holiday()] })
  expect(days.map(({ date }) => date)).toEqual([17, 18, 19, 20, 21, 22, 23].map((day) => `2026-11-${day}`))
  expect(days[0]).toEqual({ date: '2026-11-17', hours: 24, open: ['11-17T06:00 11-17T18:00'], holidays: [] })
  expect(days[1]).toEqual({ date: '2026-11-18', hours: 24, open: [], holidays: ["Founders' Day"] })
  expect(days[4]).toMatchObject({ open: [] })
})

test('a day on which the clocks change has 23 or 25 hours, and days are those of the site', () => {
  const london = daysFrom('2026-10-24T23:30:00Z')
  expect(london[0]).toMatchObject({ date: '2026-10-25', hours: 25 })
  const sites = [site({ timeZone: 'America/New_York' })]
  expect(daysFrom('2026-11-17T03:00:00Z', { sites })[0]).toMatchObject({
    date: '2026-11-16',
    open: ['11-16T11:00 11-16T23:00'],
  })
})

test('for a site with an unknown time zone, days are in UTC and schedules grant nothing', () => {
  const days = daysFrom('2026-11-17T20:00:00Z', { sites: [site({ timeZone: 'Nowhere/None' })] })
  expect(days[0]).toEqual({ date: '2026-11-17', hours: 24, open: [], holidays: [] })
})
