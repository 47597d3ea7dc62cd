import { compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { policyIndex } from '@portcullis/domain/decision/index-policy'
import { credential, door, group, rule, samplePolicy, user } from '@portcullis/domain/sample-policy'
import { withoutInterruption } from '@portcullis/domain/steps'
import { expect, test } from 'vitest'
import { leftOutItemsOf } from '../desired/left-out-items.ts'
import { roomAfter } from './room-after.ts'

const capacity = { doors: 1, credentials: 10, schedules: 1, events: 100 }

test('a unit whose compilation takes too long is not examined, like those after it', () => {
  const users = Array.from({ length: 5_000 }, (_, at) => user({ _id: `user ${at}` }))
  const credentials = users.map(({ _id }) => credential({ _id: `card of ${_id}`, number: _id, user: _id }))
  const doors = ['one', 'two'].map((unit) => door({ _id: `door of ${unit}`, unit }))
  const where = doors.map(({ _id }) => ({ kind: 'Door', id: _id }) as const)
  const rules = [rule({ who: [{ kind: 'User Group', id: 'warehouse' }], where })]
  const units = ['one', 'two'].map((_id) => ({ _id, account: 'acme', name: _id, site: 'site' }))
  const userGroups = [group({ members: users.map(({ _id }) => _id) })]
  const index = policyIndex(samplePolicy({ users, credentials, doors, units, rules, userGroups }))
  const limited = units.map(({ _id }) => ({ id: _id, capacity, size: null, leftOut: null }))
  const examine = (mostSteps: number) => {
    let steps = 0
    const hasTime = () => (steps += 1) <= mostSteps
    const tried = [{ list: 'doors', texts: new Map(doors.map(({ _id }) => [_id, []])), members: new Map() }] as const
    return withoutInterruption(roomAfter({ policy: { before: index, index, units: 'all' }, tried, limited, hasTime }))
  }
  const stepsOfOne = function* () {
    const input = { index, unit: 'one', at: Date.now(), hashNumber: String, capacity }
    yield* leftOutItemsOf(yield* compileInSteps(input))
  }
  const ofOne = [...stepsOfOne()].length + 1
  const found = (mostSteps: number) => {
    const { lacks, notExamined } = examine(mostSteps)
    return [lacks.map(({ id }) => id), notExamined]
  }
  expect(ofOne).toBeGreaterThan(10)
  expect(found(0)).toEqual([[], ['one', 'two']])
  expect(found(ofOne - 1)).toEqual([[], ['one', 'two']])
  expect(found(ofOne)).toEqual([['one'], ['two']])
  expect(found(2 * ofOne)).toEqual([['one', 'two'], []])
})
