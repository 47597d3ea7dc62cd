import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyItems } from '../configuration/affected-units.ts'
import { compileUnit } from '../configuration/compile-unit.ts'
import { decideOnUnit } from '../configuration/decide-on-unit.ts'
import { doorModes, type Policy } from '../policy.ts'
import { anyInstant, anyPolicy, stage } from '../random-policy.ts'
import { door, group, holiday, samplePolicy, schedule, site } from '../sample-policy.ts'
import { isOpenAtLocalTime } from '../time/open-at-local-time.ts'
import { decideAccess } from './decide-access.ts'
import { modeAt } from './door-mode.ts'
import { gatherFacts, policyIndex } from './gather-facts.ts'
import type { LeftOutOfUnit } from './left-out.ts'
import type { PolicyIndex } from './policy-index.ts'

const hashNumber = (number: string) => number
const shop = door({ unlockSchedule: 'day-shift', requiresPin: true })

function modeOf(
  index: PolicyIndex,
  { at, id = 'door', leftOut }: { at: number; id?: string; leftOut?: LeftOutOfUnit },
) {
  const { findings } = decideAccess(gatherFacts(index, { door: id, user: 'nomsa', direction: 'entry', at, leftOut }))
  return findings.find(({ step }) => step === 'mode')?.facts.mode
}

function shopOpen(changes: Partial<Policy> = {}, at = '2026-11-18T12:00:00Z') {
  const policy = samplePolicy({ doors: [shop], schedules: [schedule()], ...changes })
  return modeOf(policyIndex(policy), { at: Date.parse(at) })
}

test('a door stands unlocked from the start of its unlock schedule until before its end, in the time of its site', () => {
  expect(shopOpen({}, '2026-11-18T05:59:59.999Z')).toBe('normal')
  expect(shopOpen({}, '2026-11-18T06:00:00Z')).toBe('unlocked')
  expect(shopOpen({}, '2026-11-18T17:59:59.999Z')).toBe('unlocked')
  expect(shopOpen({}, '2026-11-18T18:00:00Z')).toBe('normal')
  expect(shopOpen({ sites: [site({ timeZone: 'America/New_York' })] }, '2026-11-18T10:59:00Z')).toBe('normal')
  expect(shopOpen({ sites: [site({ timeZone: 'America/New_York' })] }, '2026-11-18T22:59:00Z')).toBe('unlocked')
})

test.each<[string, Partial<Policy>]>([
  ['a holiday that closes the schedule', { holidays: [holiday()] }],
  ['a schedule that does not exist', { schedules: [] }],
  ['a site whose zone does not exist', { sites: [site({ timeZone: 'Nowhere/None' })] }],
  ['a disabled door', { doors: [{ ...shop, enabled: false }] }],
  ['no controller', { doors: [{ ...shop, unit: null }] }],
  ['no door number on the controller', { doors: [{ ...shop, unitDoor: null }] }],
  ['a controller that does not exist', { units: [] }],
  ['a disabled controller', { units: [{ _id: 'unit', account: 'acme', name: 'Unit', site: null, inService: false }] }],
  [
    'an interlock',
    {
      doors: [shop, door({ _id: 'inner', unitDoor: 2 })],
      interlockingGroups: [group({ _id: 'lock', members: ['door', 'inner'] })],
    },
  ],
])('%s leaves the door in its normal mode', (_what, changes) => {
  expect(shopOpen(changes)).toBe('normal')
})

test('a schedule for which the controller has no room unlocks nothing', () => {
  const index = policyIndex(samplePolicy({ doors: [shop], schedules: [schedule()] }))
  const leftOut = { doors: [], schedules: ['day-shift'], oldestCredential: null }
  expect(modeOf(index, { at: Date.parse('2026-11-18T12:00:00Z'), leftOut })).toBe('normal')
})

test('a mode that a user has set overrides the schedule until it ends', () => {
  const modeUntil = '2026-11-18T12:00:00.000Z'
  const blocked = { doors: [{ ...shop, mode: 'blocked' as const, modeUntil }] }
  expect(shopOpen(blocked, '2026-11-18T11:59:59Z')).toBe('blocked')
  expect(shopOpen(blocked, modeUntil)).toBe('unlocked')
  expect(shopOpen({ doors: [{ ...shop, mode: 'lockdown' }] })).toBe('lockdown')
})

test('a door unlocked by its schedule needs no PIN, and the finding names the schedule and its end', () => {
  const index = policyIndex(samplePolicy({ doors: [shop], schedules: [schedule()] }))
  const attempt = { door: 'door', credential: 'card', direction: 'entry' as const }
  const at = Date.parse('2026-11-18T12:00:00Z')
  const { verdict, findings } = decideAccess(gatherFacts(index, { ...attempt, at }))
  expect([verdict, findings[1]?.facts]).toEqual([
    'grant',
    { mode: 'unlocked', schedule: { _id: 'day-shift', name: 'Day shift' }, openUntil: '2026-11-18T18:00:00.000Z' },
  ])
  const evening = decideAccess(gatherFacts(index, { ...attempt, at: Date.parse('2026-11-18T18:00:00Z') }))
  expect([evening.verdict, evening.findings[1]?.facts]).toEqual(['needs_pin', { mode: 'normal' }])
})

test('a change of an unlock schedule affects the controllers of its doors', () => {
  const index = policyIndex(samplePolicy({ doors: [shop], schedules: [schedule()] }))
  const later = schedule({ windows: [{ days: [1], start: '07:00', end: '18:00' }] })
  expect(applyItems(index, { list: 'schedules', id: 'day-shift', items: [later] })).toEqual(new Set(['unit']))
})

test('server and controller have every door in the mode of an independent reading of its schedule, at any instant', () => {
  const seen = new Map<string, number>()
  const anyMode = fc.constantFrom(...doorModes)
  const run = fc.property(anyPolicy, anyMode, fc.array(anyInstant, { minLength: 10 }), (random, common, instants) => {
    // Without a common mode, most doors are in the normal mode, and a run may have none that is blocked and open.
    const doors = random.doors.map((each, at) => ({
      ...each,
      unlockSchedule: 'schedule-1',
      mode: at % 2 === 0 && each.mode !== 'lockdown' ? common : each.mode,
    }))
    const policy = { ...random, doors }
    const [index, schedules] = [policyIndex(policy), new Map(policy.schedules.map((each) => [each._id, each]))]
    const config = compileUnit({ index, unit: 'unit-1', at: stage.from, hashNumber })
    const hours = schedules.get('schedule-1')
    for (const at of instants) {
      for (const each of policy.doors.filter(({ unit, enabled }) => unit === 'unit-1' && enabled)) {
        const place = policy.sites.find(({ _id }) => _id === each.site)
        const interlocked = policy.interlockingGroups.some(
          ({ members }) =>
            members.includes(each._id) &&
            policy.doors.some(({ _id, unit }) => _id !== each._id && unit !== null && members.includes(_id)),
        )
        const isServed = policy.units.find(({ _id }) => _id === 'unit-1')?.inService !== false
        const isOpen =
          hours !== undefined &&
          place !== undefined &&
          place.timeZone !== 'Nowhere/None' &&
          isServed &&
          !interlocked &&
          isOpenAtLocalTime({
            hours,
            holidays: holidaysAt(policy, place),
            timeZone: place.timeZone,
            instant: at,
          })
        const mode = modeAt(each, at)
        const expected = mode === 'normal' && isOpen ? 'unlocked' : mode
        seen.set(`${isOpen} ${mode}`, (seen.get(`${isOpen} ${mode}`) ?? 0) + 1)
        const onUnit = decideOnUnit(config, { unitDoor: each.unitDoor ?? 0, credentialKey: '', direction: 'entry', at })
        expect(modeOf(index, { at, id: each._id })).toBe(expected)
        expect(onUnit.findings.find(({ step }) => step === 'mode')?.facts.mode).toBe(expected)
      }
    }
  })
  fc.assert(run, { numRuns: 100 })
  for (const mode of doorModes) expect(seen.get(`true ${mode}`)).toBeGreaterThan(5)
})

/** The holidays of a site, each of its dates by itself. */
function holidaysAt({ accounts, holidays }: Policy, { account, calendars }: Policy['sites'][number]) {
  const parentOf = new Map(accounts.map(({ _id, parent }) => [_id, parent]))
  const lineage: string[] = []
  for (let id: string | null = account; id !== null; id = parentOf.get(id) ?? null) lineage.push(id)
  return holidays.filter(
    (each) => lineage.includes(each.account) && (each.calendar === null || calendars.includes(each.calendar)),
  )
}
