import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyIndex } from '../decision/index-policy.ts'
import { type Policy, directions } from '../policy.ts'
import { anyInstant, anyPolicy, numbers, stage } from '../random-policy.ts'
import { credential, door, rule, samplePolicy, schedule, user } from '../sample-policy.ts'
import { withoutInterruption } from '../steps.ts'
import { compileInSteps, compileUnit } from './compile-unit.ts'
import { configSize, type ConfigSize } from './config-size.ts'
import { decideOnUnit } from './decide-on-unit.ts'

const hashNumber = (number: string) => `#${number}`
const roomy = { doors: 64, credentials: 1_000, schedules: 100 }

function compile(policy: Partial<Policy>, capacity: Partial<ConfigSize>) {
  const index = policyIndex(samplePolicy(policy))
  const input = { index, unit: 'unit', at: stage.from, hashNumber, capacity: { ...roomy, ...capacity } }
  return withoutInterruption(compileInSteps(input))
}

test('a unit without room for all credentials gets those that were created first, and the others are named', () => {
  const users = ['ann', 'ben', 'cy'].map((_id) => user({ _id }))
  const credentials = users.map(({ _id }, at) => credential({ _id: `c${3 - at}`, user: _id, number: `${at}` }))
  const rules = [rule({ who: users.map(({ _id }) => ({ kind: 'User' as const, id: _id })) })]
  const compiled = compile({ users, credentials, rules }, { credentials: 2 })
  expect(compiled.credentials.map(([key]) => key)).toEqual(['#1', '#2'])
  expect(compiled.holders.map(([key]) => key)).toEqual(['ben@acme', 'cy@acme'])
  expect(compiled.needs).toEqual({ doors: 1, credentials: 3, schedules: 0 })
  expect(compiled.leftOut).toMatchObject({ credentials: 1, holders: [['ann@acme', { user: 'ann' }]] })
})

test('a cardholder with one card on the unit and one without room is named, and stays on the unit', () => {
  const credentials = [credential({ _id: 'a' }), credential({ _id: 'b', number: '2' })]
  const { holders, leftOut } = compile({ credentials }, { credentials: 1 })
  expect([holders, leftOut.holders].map((each) => each.map(([key]) => key))).toEqual([['nomsa@acme'], ['nomsa@acme']])
})

test('a unit without room for all doors gets those with the lowest numbers', () => {
  const doors = [12, 2, 1].map((unitDoor) => door({ _id: `door-${unitDoor}`, unitDoor }))
  const { head, leftOut, needs } = compile({ doors }, { doors: 2 })
  expect([Object.keys(head.doors), leftOut.doors, needs.doors]).toEqual([['1', '2'], ['door-12'], 3])
})

test('a unit without room for all schedules gets those that were created first', () => {
  const schedules = ['s2', 's1'].map((_id) => schedule({ _id }))
  const rules = schedules.map(({ _id }) => rule({ _id: `rule ${_id}`, schedule: _id }))
  const { head, leftOut, needs } = compile({ schedules, rules }, { schedules: 1 })
  expect([Object.keys(head.schedules), leftOut.schedules, needs.schedules]).toEqual([['s1'], ['s2'], 2])
})

const anyCapacity = fc.record({
  doors: fc.integer({ min: 0, max: 4 }),
  credentials: fc.integer({ min: 0, max: 5 }),
  schedules: fc.integer({ min: 0, max: 3 }),
})
const attempts = fc.array(
  fc.record({
    unitDoor: fc.integer({ min: 1, max: 4 }),
    credentialKey: fc.constantFrom(...numbers.map(hashNumber)),
    direction: fc.constantFrom(...directions),
    at: anyInstant,
  }),
  { minLength: 20, maxLength: 20 },
)

test('a configuration never exceeds the capacity, and grants nothing that the whole one denies', () => {
  let count = 0
  fc.assert(
    fc.property(anyPolicy, anyCapacity, attempts, (policy, capacity, presented) => {
      const input = { index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber }
      const [whole, fitted] = [compileUnit(input), compileUnit({ ...input, capacity })]
      const size = configSize(fitted)
      for (const kind of ['doors', 'credentials', 'schedules'] as const)
        expect(size[kind]).toBeLessThanOrEqual(capacity[kind])
      for (const attempt of presented) {
        const [one, other] = [decideOnUnit(fitted, attempt), decideOnUnit(whole, attempt)]
        if (one.verdict !== 'deny') expect(one.verdict).toBe(other.verdict)
        else if (other.verdict !== 'deny') count += 1
      }
    }),
    { numRuns: 300 },
  )
  // Otherwise the capacities were not small enough.
  expect(count).toBeGreaterThan(20)
})
