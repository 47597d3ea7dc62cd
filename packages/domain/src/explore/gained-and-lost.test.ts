import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forkIndex } from '../decision/fork-index.ts'
import { policyIndex } from '../decision/index-policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { setItems } from '../decision/update-index.ts'
import { type Direction, directions, type Policy } from '../policy.ts'
import { anyInstant, anyPolicy } from '../random-policy.ts'
import { credential, door, group, rule, samplePolicy, schedule, user } from '../sample-policy.ts'
import { withoutInterruption } from '../steps.ts'
import { exploreAccess } from './explore-access.ts'
import { gainedAndLost } from './gained-and-lost.ts'
import { openingHorizonMs } from './openings.ts'

const friday = Date.parse('2026-11-20T17:00:00Z')
const lists = [
  'sites',
  'doors',
  'units',
  'users',
  'credentials',
  'userGroups',
  'doorGroups',
  'siteGroups',
  'rules',
  'schedules',
  'holidays',
] as const

function differences(...question: Parameters<typeof gainedAndLost>) {
  return withoutInterruption(gainedAndLost(...question)) ?? { gained: [], lost: [] }
}

type Passage = { user: string; door: string; at: number; direction: Direction }

function canOpen(index: PolicyIndex, { user: _id, door: id, at, direction }: Passage) {
  const there = index.doors.get(id)
  if (!there?.directions[direction]) return false
  const question = { who: { user: _id }, door: there, direction, at }
  return withoutInterruption(exploreAccess(index, question)).best.decision.verdict !== 'deny'
}

test.each(lists)('for any change of %s, gains and losses are the difference between the decisions', (list) => {
  let seen = 0
  const run = fc.property(
    fc.tuple(anyPolicy, anyPolicy),
    anyInstant,
    fc.integer({ min: 0, max: openingHorizonMs - 1 }),
    ([policy, other], at, distance) => {
      // Another credential of the same number that appears or goes is not looked for.
      const [one, changed] = [policy, { ...policy, [list]: other[list] }].map(withOwnNumbers)
      if (!one || !changed) return
      const change = { before: policyIndex(one), index: policyIndex(changed) }
      const items = [...policy[list], ...other[list]].map(({ _id }) => ({ list, id: _id }))
      const { gained, lost } = differences(change, { items, at })
      for (const person of new Set([...policy.users, ...other.users].map(({ _id }) => _id))) {
        for (const id of new Set([...policy.doors, ...other.doors].map(({ _id }) => _id))) {
          for (const [instant, direction] of [at, at + distance].flatMap((moment) =>
            directions.map((each) => [moment, each] as const),
          )) {
            const pair = { user: person, door: id, at: instant, direction }
            const [was, is] = [canOpen(change.before, pair), canOpen(change.index, pair)]
            const within = (all: typeof gained) =>
              all.some(
                (each) =>
                  each.user === person &&
                  each.door === id &&
                  (each.direction === 'both' || each.direction === direction) &&
                  each.times.some(({ from, until }) => from <= instant && instant < until),
              )
            expect([within(gained), within(lost)]).toEqual([is && !was, was && !is])
            if (is !== was) seen += 1
          }
        }
      }
    },
  )
  fc.assert(run, { numRuns: 15 })
  // Few random changes of some lists make a difference, so more are tried until some have.
  for (let more = 0; more < 100 && seen < 3; more += 1) fc.assert(run, { numRuns: 10 })
  expect(seen).toBeGreaterThanOrEqual(3)
})

function withOwnNumbers({ credentials, ...policy }: Policy): Policy {
  return { ...policy, credentials: credentials.map((each) => ({ ...each, number: `${each.number} of ${each._id}` })) }
}

test('users who gain the same hours share one object, and only members who join are examined', () => {
  const users = ['ann', 'ben', 'cy'].map((_id) => user({ _id }))
  const credentials = users.map(({ _id }) => credential({ _id: `card of ${_id}`, number: _id, user: _id }))
  const rules = [rule({ who: [{ kind: 'User Group', id: 'warehouse' }], schedule: 'day-shift' })]
  const before = policyIndex(
    samplePolicy({ users, credentials, rules, schedules: [schedule()], userGroups: [group({ members: ['ann'] })] }),
  )
  const index = forkIndex(before)
  for (const member of ['ben', 'cy']) index.userGroups.members.get('warehouse')?.add(member)
  for (const member of ['ben', 'cy']) index.userGroups.groupsOf.set(member, ['warehouse'])
  const items = [{ list: 'userGroups', id: 'warehouse' }] as const
  const { gained, lost } = differences({ before, index }, { items, at: friday })
  expect(gained.map((each) => each.user)).toEqual(['ben', 'cy'])
  expect(gained[0]?.times).toBe(gained[1]?.times)
  expect(lost).toEqual([])
  expect(withoutInterruption(gainedAndLost({ before, index }, { items, at: friday, most: 1 }))).toBeUndefined()
})

test('users with a validity of their own share all other periods, and nothing else is kept of them', () => {
  const users = Array.from({ length: 4_000 }, (_, at) => user({ _id: `user ${at}` }))
  const credentials = users.map(({ _id }, at) => {
    const validUntil = new Date(friday + openingHorizonMs / 2 + at * 300_000).toISOString()
    return credential({ _id: `card of ${_id}`, number: _id, user: _id, validUntil })
  })
  const userGroups = [group({ members: users.map(({ _id }) => _id) })]
  const before = policyIndex(samplePolicy({ users, credentials, userGroups, rules: [], schedules: [schedule()] }))
  const index = forkIndex(before)
  const everyone = rule({ who: [{ kind: 'User Group', id: 'warehouse' }], schedule: 'day-shift' })
  setItems(index, { list: 'rules', id: everyone._id, items: [everyone] })
  const texts = vi.spyOn(JSON, 'stringify')
  const kept = vi.spyOn(Map.prototype, 'set')
  onTestFinished(() => void vi.restoreAllMocks())
  const { gained } = differences({ before, index }, { items: [{ list: 'rules', id: everyone._id }], at: friday })
  const keptLists = kept.mock.calls.filter(([key]) => Array.isArray(key)).length
  expect(gained).toHaveLength(users.length)
  expect(new Set(gained.flatMap(({ times }) => times)).size).toBeLessThan(users.length + 200)
  expect([texts.mock.calls.length, keptLists]).toEqual([0, 0])
})

test('a door that is blocked is lost to all users with access', () => {
  const before = policyIndex(samplePolicy({}))
  const index = forkIndex(before)
  setItems(index, { list: 'doors', id: door()._id, items: [door({ mode: 'blocked' })] })
  const items = [{ list: 'doors', id: door()._id }] as const
  const { gained, lost } = differences({ before, index }, { items, at: friday })
  expect([gained, lost]).toEqual([
    [],
    [
      {
        user: 'nomsa',
        door: door()._id,
        direction: door().directions.exit ? 'both' : 'entry',
        times: [{ from: friday, until: friday + openingHorizonMs }],
      },
    ],
  ])
})

test.each(['rules', 'sites', 'schedules', 'holidays', 'userGroups'] as const)(
  'a change of %s that concerns too many pairs is given up before they are collected',
  (list) => {
    const users = Array.from({ length: 2_000 }, (_, at) => user({ _id: `user ${at}` }))
    const doors = Array.from({ length: 200 }, (_, at) => door({ _id: `door ${at}`, unitDoor: at + 1 }))
    const site = doors[0]?.site ?? ''
    const everyone = [{ kind: 'User Group', id: 'warehouse' }] as const
    const rules = [rule({ who: everyone, where: [{ kind: 'Site', id: site }], schedule: 'day-shift' })]
    const holidays = [{ _id: 'h', account: 'acme', name: 'h', kind: 'public', dates: [], calendar: null } as const]
    const all = { users, doors, rules, holidays, schedules: [schedule()] }
    const members = users.map(({ _id }) => _id)
    const index = policyIndex(samplePolicy({ ...all, userGroups: [group({ members })] }))
    const before = policyIndex(samplePolicy({ ...all, userGroups: [group({ members: [] })] }))
    const id = {
      rules: rules[0]?._id ?? '',
      sites: site,
      schedules: 'day-shift',
      holidays: 'h',
      userGroups: 'warehouse',
    }
    const added = vi.spyOn(Set.prototype, 'add')
    onTestFinished(() => added.mockRestore())
    const question = { items: [{ list, id: id[list] }], at: friday, most: 1_000 }
    expect(withoutInterruption(gainedAndLost({ before, index }, question))).toBeUndefined()
    expect(added.mock.calls.length).toBeLessThan(20_000)
  },
)

test('only users and doors of the given accounts count', () => {
  const before = policyIndex(samplePolicy({}))
  const index = forkIndex(before)
  setItems(index, { list: 'doors', id: door()._id, items: [door({ mode: 'blocked' })] })
  const items = [{ list: 'doors', id: door()._id }] as const
  const lost = (...accounts: string[]) =>
    differences({ before, index }, { items, at: friday, accounts: new Set(accounts) }).lost
  expect(lost(door().account)).toHaveLength(1)
  expect(lost('another')).toEqual([])
})

/** 200 rules name the same group, at the site of 200 doors; `looked` counts how often an account of a door was read. */
function manyRules({ users, who, members }: { users: Policy['users']; who: string; members: readonly string[] }) {
  const looked = { count: 0 }
  const doors = Array.from({ length: 200 }, (_, at) =>
    Object.defineProperty(door({ _id: `door ${at}`, unitDoor: at + 1 }), 'account', {
      get() {
        looked.count += 1
        return door().account
      },
    }),
  )
  const where = [{ kind: 'Site', id: door().site }] as const
  const rules = Array.from({ length: 200 }, (_, at) =>
    rule({ _id: `rule ${at}`, who: [{ kind: 'User Group', id: who }], where, schedule: 'day-shift' }),
  )
  const userGroups = [group({ members }), group({ _id: 'empty', members: [] })]
  return { index: policyIndex(samplePolicy({ users, doors, rules, userGroups, schedules: [schedule()] })), looked }
}

test.each([
  ['sites', 'empty', door().site],
  ['schedules', 'empty', 'day-shift'],
  ['users', 'warehouse', user()._id],
] as const)('no step of a change of %s looks at many doors, however many rules name them', (list, who, id) => {
  const { index, looked } = manyRules({ users: [user()], who, members: [user()._id] })
  const steps = gainedAndLost({ before: index, index }, { items: [{ list, id }], at: friday, most: 10 })
  let most = 0
  for (let isDone: boolean | undefined = false; !isDone; most = Math.max(most, looked.count)) {
    looked.count = 0
    isDone = steps.next().done
  }
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(2_000)
})

test('users whom many rules name at a door are looked at once', () => {
  const users = Array.from({ length: 100 }, (_, at) => user({ _id: `user ${at}` }))
  const { index } = manyRules({ users, who: 'warehouse', members: users.map(({ _id }) => _id) })
  const items = [{ list: 'doors', id: 'door 1' }] as const
  expect(withoutInterruption(gainedAndLost({ before: index, index }, { items, at: friday, most: 100 }))).toBeDefined()
})

test('a change is given up after a number of users, whether they are in sight or not', () => {
  const users = Array.from({ length: 1_000 }, (_, at) => user({ _id: `user ${at}`, account: 'group' }))
  const { index } = manyRules({ users, who: 'warehouse', members: users.map(({ _id }) => _id) })
  const looked = vi.spyOn(index.membershipsOfUser, 'get')
  const question = { items: [{ list: 'sites', id: door().site }], at: friday, most: 100 } as const
  const within = (account: string) =>
    withoutInterruption(gainedAndLost({ before: index, index }, { ...question, accounts: new Set([account]) }))
  expect(within(door().account)).toBeUndefined()
  expect(looked.mock.calls.length).toBeLessThan(2_100)
  looked.mockClear()
  expect(within('other')).toEqual({ gained: [], lost: [] })
  expect(looked).not.toHaveBeenCalled()
})
