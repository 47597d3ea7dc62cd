import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessTimes } from './access-times.ts'
import { decideAccess } from '../decision/decide-access.ts'
import { gatherFacts, policyIndex } from '../decision/gather-facts.ts'
import { directions, type Policy } from '../policy.ts'
import { anyInstant, anyPolicy, numbers, stage } from '../random-policy.ts'
import { credential, holiday, rule, samplePolicy, schedule, user } from '../sample-policy.ts'
import { dayMs } from '../time/zone.ts'

const monday = Date.parse('2026-11-16T00:00:00Z')
const week = { from: monday, until: monday + 7 * dayMs }

/** When Nomsa's card opens the door in the week of Monday 16 November, in London. */
function timesOf(changes: Partial<Policy>) {
  const index = policyIndex(samplePolicy(changes))
  const attempt = { door: 'door', credentialNumber: '0412-88213', direction: 'entry', at: monday } as const
  const short = (at: number) => new Date(at).toISOString().slice(5, 16)
  return accessTimes(gatherFacts(index, attempt), week).map(({ from, until }) => `${short(from)} ${short(until)}`)
}

const weekend = schedule({ _id: 'weekend', windows: [{ days: [6], start: '22:00', end: '02:00' }] })

describe('the times at which a user may pass', () => {
  test('are the union of the times of all rules, joined where they touch', () => {
    const early = schedule({ _id: 'early', windows: [{ days: [1, 2], start: '04:00', end: '06:00' }] })
    const rules = [
      rule({ schedule: 'early' }),
      rule({ _id: 'r2', schedule: 'weekend' }),
      rule({ _id: 'r3', schedule: 'day-shift' }),
    ]
    expect(timesOf({ rules, schedules: [early, weekend, schedule()] })).toEqual([
      '11-16T04:00 11-16T18:00',
      '11-17T04:00 11-17T18:00',
      '11-18T06:00 11-18T18:00',
      '11-19T06:00 11-19T18:00',
      '11-20T06:00 11-20T18:00',
      '11-21T22:00 11-22T02:00',
    ])
  })

  test('exclude times that a rule denies, and the whole day if a holiday closes its schedule', () => {
    const lunch = schedule({ _id: 'lunch', windows: [{ days: [1, 2, 3], start: '12:00', end: '13:00' }] })
    const rules = [rule(), rule({ _id: 'deny', effect: 'deny', schedule: 'lunch' })]
    expect(timesOf({ rules, schedules: [lunch], holidays: [holiday()] })).toEqual([
      '11-16T00:00 11-16T12:00',
      '11-16T13:00 11-17T12:00',
      '11-17T13:00 11-18T00:00',
      '11-19T00:00 11-23T00:00',
    ])
  })

  test('are limited by the validity of the card and the user and by the time box of the rule', () => {
    const ends = {
      credentials: [credential({ validUntil: '2026-11-20T00:00:00Z' })],
      users: [user({ validFrom: '2026-11-17T00:00:00Z' })],
      rules: [rule({ adhoc: { from: '2026-11-10T00:00:00Z', until: '2026-11-19T12:00:00Z' } })],
    }
    expect(timesOf(ends)).toEqual(['11-17T00:00 11-19T12:00'])
  })

  test.each<[string, Partial<Policy>]>([
    ['a lost card', { credentials: [credential({ status: 'lost' })] }],
    ['a suspended user', { users: [user({ status: 'suspended' })] }],
    ['a rule whose schedule is deleted', { rules: [rule({ schedule: 'gone' })] }],
    ['a rule for the other direction', { rules: [rule({ direction: 'exit' })] }],
  ])('are none for %s', (_, changes) => {
    expect(timesOf(changes)).toEqual([])
  })
})

const attempts = fc.array(
  fc.record({
    door: fc.constantFrom('door-1', 'door-2', 'door-3', 'door-4'),
    credentialNumber: fc.constantFrom(...numbers),
    direction: fc.constantFrom(...directions),
    at: anyInstant,
  }),
  { minLength: 20, maxLength: 20 },
)

test('for any policy they are the instants at which the decision is anything but deny', () => {
  let openings = 0
  fc.assert(
    fc.property(anyPolicy, attempts, (policy, presented) => {
      const index = policyIndex(policy)
      for (const attempt of presented) {
        const facts = gatherFacts(index, attempt)
        const times = accessTimes(facts, stage)
        const isOpen = (at: number) => decideAccess({ ...facts, at }).verdict !== 'deny'
        const edges = times.flatMap(({ from, until }) => [from - 1, from, until - 1, until])
        for (const at of [attempt.at, ...edges]) {
          if (at < stage.from || at >= stage.until) continue
          expect(times.some(({ from, until }) => from <= at && at < until)).toBe(isOpen(at))
        }
        openings += times.length
      }
    }),
  )
  expect(openings).toBeGreaterThan(0)
})
