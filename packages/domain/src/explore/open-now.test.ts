import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyIndex } from '../decision/index-policy.ts'
import { anyInstant, anyPolicy } from '../random-policy.ts'
import { credential, door, rule, samplePolicy, user } from '../sample-policy.ts'
import { withoutInterruption } from '../steps.ts'
import { openNowCounter } from './open-now.ts'
import { doorsOfUser, type Opening, usersAtDoor } from './openings.ts'
import { reviewSteps } from './review-steps.ts'

const everything = { seesUser: () => true, seesDoor: () => true }

test('the numbers of doors and users are those that the lists of the explorer show as open now', () => {
  let opened = 0
  const property = fc.property(anyPolicy, anyInstant, (policy, at) => {
    const index = policyIndex(policy)
    const steps = reviewSteps(Number.POSITIVE_INFINITY)
    const counter = openNowCounter(index, { at, steps, ...everything })
    const openIn = (list: ReadonlyMap<string, Opening | null>) =>
      [...list.values()].filter((opening) => opening !== null && opening.from <= at).length
    for (const each of policy.doors) {
      const users = openIn(withoutInterruption(usersAtDoor(index, { door: each, at })))
      expect(withoutInterruption(counter.usersAt(each))).toBe(users)
      opened += users
    }
    for (const id of index.membershipsOfUser.keys()) {
      const doors = openIn(withoutInterruption(doorsOfUser(index, { user: id, at })))
      expect(withoutInterruption(counter.doorsOf(id))).toBe(doors)
    }
  })
  fc.assert(property, { numRuns: 60 })
  expect(opened).toBeGreaterThan(0)
})

const at = Date.parse('2026-11-20T17:00:00Z')
const two = samplePolicy({
  doors: [door(), door({ _id: 'door-2', unitDoor: 2 })],
  users: [user(), user({ _id: 'thabo' })],
  credentials: [credential(), credential({ _id: 'c2', number: '2', user: 'thabo' })],
  rules: [
    rule({
      who: ['nomsa', 'thabo'].map((id) => ({ kind: 'User' as const, id })),
      where: [{ kind: 'Site' as const, id: 'site' }],
    }),
  ],
})

function counted(changes: Partial<Parameters<typeof openNowCounter>[1]>) {
  const steps = reviewSteps(1_000)
  const counter = openNowCounter(policyIndex(two), { at, steps, ...everything, ...changes })
  return [withoutInterruption(counter.doorsOf('nomsa')), withoutInterruption(counter.usersAt(door()))]
}

test('only users and doors that are seen count', () => {
  expect(counted({})).toEqual([2, 2])
  expect(counted({ seesUser: (id) => id === 'thabo', seesDoor: ({ _id }) => _id === 'door' })).toEqual([1, 1])
})

test('there is no number once the steps have run out', () => {
  expect(counted({ steps: reviewSteps(1) })).toEqual([null, null])
})
