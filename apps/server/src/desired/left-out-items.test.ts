import { compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door, RuleDirection } from '@portcullis/domain/policy'
import { credential, door, group, rule, samplePolicy, user } from '@portcullis/domain/sample-policy'
import { stepSize, withoutInterruption } from '@portcullis/domain/steps'
import { expect, test } from 'vitest'
import { leftOutItemsOf } from './left-out-items.ts'

/** The cardholders by door at a unit without room for the cards of Nomsa and Ann. */
function incompleteWith(changes: Partial<Door>, directions: readonly RuleDirection[]) {
  const who = ['nomsa', 'ann'].map((id) => ({ kind: 'User', id }) as const)
  const rules = directions.map((direction) => rule({ _id: direction, who, direction }))
  const users = [user(), user({ _id: 'ann' })]
  const credentials = [credential(), credential({ _id: 'second', user: 'ann', number: '2' })]
  const index = policyIndex(samplePolicy({ doors: [door(changes)], users, credentials, rules }))
  const capacity = { doors: 1, credentials: 0, schedules: 0 }
  const at = Date.parse('2026-11-18T12:00:00Z')
  const compiled = withoutInterruption(compileInSteps({ index, unit: 'unit', at, hashNumber: String, capacity }))
  const items = withoutInterruption(leftOutItemsOf(compiled))
  expect(items).toMatchObject({ credentials: 2, holders: 2 })
  return items?.incomplete
}

const entryOnly = { directions: { entry: true, exit: false } }

test.each<[string, Partial<Door>, RuleDirection[], boolean]>([
  ['entry reader, rule for both', entryOnly, ['both'], true],
  ['entry reader, rule for entry', entryOnly, ['entry'], true],
  ['entry reader, rule for exit', entryOnly, ['exit'], false],
  ['entry reader, rules for each', entryOnly, ['exit', 'entry'], true],
  ['no reader', { directions: { entry: false, exit: false } }, ['both'], false],
  ['disabled', { enabled: false }, ['both'], false],
])('a cardholder without room counts at a door where their rule applies: %s', (_, changes, directions, counts) => {
  expect(incompleteWith(changes, directions)).toEqual(counts ? { door: 2 } : {})
})

test('whether the rules of a group apply at a door is found once, however many cardholders it has, in short steps', () => {
  const users = Array.from({ length: stepSize }, (_, at) => user({ _id: `user ${at}` }))
  const credentials = users.map(({ _id }) => credential({ _id: `card of ${_id}`, number: _id, user: _id }))
  // Each user is in other ones of them.
  const userGroups = Array.from({ length: 8 }, (_, bit) => {
    const members = users.filter((_user, at) => (at >> bit) % 2 === 1).map(({ _id }) => _id)
    return group({ _id: `group ${bit}`, members })
  })
  const doors = [1, 2, 3].map((unitDoor) => door({ _id: `door ${unitDoor}`, unitDoor }))
  const who = userGroups.map(({ _id }) => ({ kind: 'User Group', id: _id }) as const)
  const rules = [rule({ who, where: doors.map(({ _id }) => ({ kind: 'Door', id: _id }) as const) })]
  const index = policyIndex(samplePolicy({ users, credentials, doors, rules, userGroups }))
  const capacity = { doors: 3, credentials: 0, schedules: 1 }
  const at = Date.parse('2026-11-18T12:00:00Z')
  const compiled = withoutInterruption(compileInSteps({ index, unit: 'unit', at, hashNumber: String, capacity }))
  let reads = 0
  const access = compiled.access.map(([id, subject]) => {
    const counted = {
      get doors() {
        reads += 1
        return subject.doors
      },
    }
    return [id, counted] as const
  })
  const steps = leftOutItemsOf({ ...compiled, access })
  const readsInStep: number[] = []
  for (let [step, before] = [steps.next(), 0]; !step.done; step = steps.next()) {
    readsInStep.push(reads - before)
    before = reads
  }
  expect(reads).toBe(userGroups.length * doors.length)
  expect(Math.max(...readsInStep)).toBe(userGroups.length)
  const others = users.length - 1
  expect(withoutInterruption(leftOutItemsOf(compiled))).toMatchObject({
    incomplete: { 'door 1': others, 'door 2': others, 'door 3': others },
  })
})

test('a rule is examined once for each door, however many groups it names, in short steps', () => {
  const userGroups = Array.from({ length: 2 * stepSize }, (_, at) => group({ _id: `group ${at}`, members: ['nomsa'] }))
  const who = userGroups.map(({ _id }) => ({ kind: 'User Group', id: _id }) as const)
  const rules = ['first', 'second'].map((_id) => rule({ _id, who, direction: 'exit' }))
  const policy = { users: [user()], credentials: [credential()], doors: [door(entryOnly)], rules, userGroups }
  const capacity = { doors: 1, credentials: 0, schedules: 1 }
  const at = Date.parse('2026-11-18T12:00:00Z')
  const index = policyIndex(samplePolicy(policy))
  const compiled = withoutInterruption(compileInSteps({ index, unit: 'unit', at, hashNumber: String, capacity }))
  let examined = 0
  const counted = Object.entries(compiled.head.rules).map(([id, unitRule]) => {
    const counting = {
      ...unitRule,
      get direction() {
        examined += 1
        return unitRule.direction
      },
    }
    return [id, counting] as const
  })
  const steps = leftOutItemsOf({ ...compiled, head: { ...compiled.head, rules: Object.fromEntries(counted) } })
  const interruptions = Array.from(steps).length
  expect(examined).toBe(rules.length)
  expect(interruptions).toBe(1 + userGroups.length / stepSize)
})
