import { mayPassAt } from '../decision/lockdown-exceptions.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileInSteps, compileUnit } from '../configuration/compile-unit.ts'
import { decideOnUnit } from '../configuration/decide-on-unit.ts'
import { doorOfUnit, policyIndex } from '../decision/gather-facts.ts'
import type { LeftOutOfUnit } from '../decision/left-out.ts'
import { directions } from '../policy.ts'
import { anyInstant, anyPolicy, numbers, stage } from '../random-policy.ts'
import { credential, door, rule, samplePolicy, schedule } from '../sample-policy.ts'
import { withoutInterruption } from '../steps.ts'
import { changeToOpen } from './changes-to-open.ts'
import { bestAtDoor, exploreAccess } from './explore-access.ts'
import { doorsOfUser, openingsAtDoor, usersAtDoor } from './openings.ts'

const hashNumber = (number: string) => `#${number}`
const at = Date.parse('2026-11-20T12:00:00Z')
const everything: LeftOutOfUnit = { doors: [], schedules: [], oldestCredential: null }

/** Nomsa's access at the door of a unit that leaves out these items. */
function explored(leftOut: Partial<LeftOutOfUnit>) {
  const scheduled = rule({ schedule: 'day-shift' })
  const index = policyIndex(samplePolicy({ rules: [scheduled], schedules: [schedule()] }))
  const question = { user: 'nomsa', door: door(), at, leftOut: new Map([['unit', { ...everything, ...leftOut }]]) }
  const { decision } = withoutInterruption(bestAtDoor(index, question))
  return {
    reason: decision.reason,
    changes: decision.findings.flatMap((finding) => changeToOpen(finding)?.code ?? []),
    openings: withoutInterruption(openingsAtDoor(index, question)).map(({ opening }) => opening !== null),
    ofDoor: withoutInterruption(usersAtDoor(index, question)).get('nomsa') !== null,
    ofUser: withoutInterruption(doorsOfUser(index, question)).get('door') !== null,
  }
}

const closed = { openings: [false, false], ofDoor: false, ofUser: false }

test.each([
  [{}, { reason: null, changes: [], openings: [true, true], ofDoor: true, ofUser: true }],
  [{ doors: ['door'] }, { reason: 'door_unknown', changes: ['make_room_for_door'], ...closed }],
  [{ oldestCredential: 'card' }, { reason: 'credential_unknown', changes: ['make_room_for_credential'], ...closed }],
  [{ oldestCredential: 'later' }, { reason: null, changes: [], openings: [true, true], ofDoor: true, ofUser: true }],
  [{ schedules: ['day-shift'] }, { reason: 'outside_schedule', changes: ['make_room_for_schedule'], ...closed }],
])('without room for %j', (leftOut, answer) => {
  expect(explored(leftOut)).toEqual(answer)
})

test('a deny rule without its schedule is lifted: with room, it would still deny access during its hours', () => {
  const rules = [rule(), rule({ _id: 'deny', effect: 'deny', schedule: 'day-shift' })]
  const index = policyIndex(samplePolicy({ rules, schedules: [schedule()] }))
  const leftOut = new Map([['unit', { ...everything, schedules: ['day-shift'] }]])
  const { decision } = withoutInterruption(bestAtDoor(index, { user: 'nomsa', door: door(), at, leftOut }))
  expect(decision.findings.flatMap((finding) => changeToOpen(finding) ?? [])).toEqual([
    { code: 'lift_deny_rule', of: { kind: 'rule', _id: 'deny', name: 'Warehouse staff' } },
  ])
})

test('of two cards, the one that is on the unit opens the door', () => {
  const index = policyIndex(samplePolicy({ credentials: [credential(), credential({ _id: 'second', number: '2' })] }))
  const leftOut = new Map([['unit', { ...everything, oldestCredential: 'second' }]])
  const question = { who: { user: 'nomsa' }, door: door(), direction: 'entry', at, leftOut } as const
  const { best, others } = withoutInterruption(exploreAccess(index, question))
  expect([best.credential?._id, best.decision.verdict]).toEqual(['card', 'grant'])
  expect(others.flatMap(({ credentials, decision }) => credentials.map(({ _id }) => [_id, decision.reason]))).toEqual([
    ['second', 'credential_unknown'],
  ])
})

const anyCapacity = fc.record({
  doors: fc.integer({ min: 0, max: 4 }),
  credentials: fc.integer({ min: 0, max: 5 }),
  schedules: fc.integer({ min: 0, max: 3 }),
})
const attempts = fc.array(
  fc.record({
    unitDoor: fc.integer({ min: 1, max: 4 }),
    number: fc.constantFrom(...numbers),
    direction: fc.constantFrom(...directions),
    at: anyInstant,
  }),
  { minLength: 20, maxLength: 20 },
)

test('for any policy and capacity, the verdict is that of the unit', () => {
  let count = 0
  fc.assert(
    fc.property(anyPolicy, anyCapacity, attempts, (policy, capacity, presented) => {
      const index = policyIndex(policy)
      const input = { index, unit: 'unit-1', at: stage.from, hashNumber, capacity }
      const config = compileUnit(input)
      const leftOut = new Map([['unit-1', withoutInterruption(compileInSteps(input)).leftOut]])
      for (const { unitDoor, number, ...attempt } of presented) {
        const wired = doorOfUnit(index, 'unit-1', unitDoor)
        if (!wired) continue
        const onUnit = { ...attempt, unitDoor, credentialKey: hashNumber(number), mayPass: mayPassAt(wired) }
        const { verdict } = decideOnUnit(config, onUnit)
        const { best } = withoutInterruption(
          exploreAccess(index, { ...attempt, door: wired, who: { number }, leftOut }),
        )
        expect(best.decision.verdict).toBe(verdict)
        if (best.decision.findings.some(({ facts }) => facts.leftOut)) count += 1
      }
    }),
    { numRuns: 300 },
  )
  // Otherwise the capacities were not small enough.
  expect(count).toBeGreaterThan(20)
})
