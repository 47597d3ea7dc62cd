import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyIndex } from '../decision/gather-facts.ts'
import type { Policy } from '../policy.ts'
import { anyPolicy, stage } from '../random-policy.ts'
import { credential, door, rule, samplePolicy, schedule, user } from '../sample-policy.ts'
import { stepSize, withoutInterruption } from '../steps.ts'
import { compileUnit } from './compile-unit.ts'
import { changedSubjects, configDifference } from './config-difference.ts'
import type { UnitConfig } from './unit-config.ts'

const hashNumber = (number: string) => `hash of ${number}`

function configOf(policy: Policy, { unit = 'unit', at = stage.from } = {}) {
  return compileUnit({ index: policyIndex(policy), unit, at, hashNumber })
}

function differenceOf(applied: UnitConfig | null, desired: UnitConfig) {
  const { parts, missing, outdated } = withoutInterruption(configDifference(applied, desired))
  const differing = [...parts].flatMap(([part, changes]) =>
    Object.entries(changes).flatMap(([change, ids]) => (ids.length > 0 ? [[part, change, ids]] : [])),
  )
  return { differing, missing: [...missing], outdated: [...outdated] }
}

const base = configOf(samplePolicy())
const thabo = user({ _id: 'thabo', name: 'Thabo' })
const nothing = { differing: [], missing: [], outdated: [] }

test.each<[string, Partial<Policy>, Partial<ReturnType<typeof differenceOf>>]>([
  ['nothing', {}, {}],
  [
    'a second card of a cardholder',
    { credentials: [credential(), credential({ _id: 'second', number: '2' })] },
    { differing: [['credentials', 'added', ['second']]], missing: ['nomsa@acme'] },
  ],
  [
    'a lost card, the only one',
    { credentials: [credential({ status: 'lost' })] },
    {
      differing: [
        ['rules', 'removed', ['rule']],
        ['holders', 'removed', ['nomsa@acme']],
        ['credentials', 'removed', ['card']],
      ],
      outdated: ['nomsa@acme'],
    },
  ],
  [
    'another number of a card',
    { credentials: [credential({ number: '9' })] },
    { differing: [['credentials', 'changed', ['card']]], missing: ['nomsa@acme'], outdated: ['nomsa@acme'] },
  ],
  [
    'a card that another user has now',
    {
      users: [user(), thabo],
      credentials: [credential({ user: 'thabo' })],
      rules: [rule(), rule({ _id: 'his', who: [{ kind: 'User', id: 'thabo' }] })],
    },
    {
      differing: [
        ['rules', 'added', ['his']],
        ['rules', 'removed', ['rule']],
        ['holders', 'added', ['thabo@acme']],
        ['holders', 'removed', ['nomsa@acme']],
        ['credentials', 'changed', ['card']],
      ],
      missing: ['thabo@acme'],
      outdated: ['nomsa@acme'],
    },
  ],
  [
    'a door with another number on the unit',
    { doors: [door({ unitDoor: 2 })] },
    {
      differing: [
        ['doors', 'changed', ['door']],
        ['holders', 'changed', ['nomsa@acme']],
      ],
    },
  ],
  [
    'a second rule for a user, whose own entry stays',
    { rules: [rule(), rule({ _id: 'another' })] },
    {
      differing: [
        ['rules', 'added', ['another']],
        ['holders', 'changed', ['nomsa@acme']],
      ],
    },
  ],
  [
    'the schedule of a rule',
    { rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()] },
    {
      differing: [
        ['rules', 'changed', ['rule']],
        ['schedules', 'added', ['day-shift']],
      ],
    },
  ],
])('the difference after a change is %s', (_change, policy, expected) => {
  expect(differenceOf(base, configOf(samplePolicy(policy)))).toEqual({ ...nothing, ...expected })
})

test('users whose group gets another rule are counted, also those whose entries were not read', () => {
  const users = ['ann', 'ben', 'cy'].map((_id) => user({ _id }))
  const credentials = users.map(({ _id }) => credential({ _id: `card of ${_id}`, user: _id, number: _id }))
  const userGroups = [{ _id: 'team', account: 'acme', name: 'Team', members: ['ann', 'ben'] }]
  const team = rule({ _id: 'first', who: [{ kind: 'User Group', id: 'team' }] })
  const cys = rule({ _id: 'second', who: [{ kind: 'User', id: 'cy' }] })
  const policy = { users, credentials, userGroups, rules: [team, cys] }
  const applied = configOf(samplePolicy(policy))
  const desired = configOf(samplePolicy({ ...policy, rules: [team, cys, rule({ ...team, _id: 'third' })] }))
  const expected = [
    ['rules', 'added', ['third']],
    ['holders', 'changed', ['ann@acme', 'ben@acme']],
  ]
  expect(differenceOf(applied, desired).differing).toEqual(expected)
  const { holders, ...rest } = applied
  const { holders: _same, ...changed } = desired
  expect([...changedSubjects(rest, changed)]).toEqual(['team'])
  const { parts } = withoutInterruption(configDifference(rest, changed, { commonHolders: holders }))
  expect(parts.get('holders')).toEqual({ added: [], changed: ['ann@acme', 'ben@acme'], removed: [] })
})

test('a unit without a configuration misses all of it, and a setting is not an added item', () => {
  expect(differenceOf(null, base)).toEqual({
    differing: [
      ['doors', 'added', ['door']],
      ['rules', 'added', ['rule']],
      ['sites', 'added', ['site']],
      ['holders', 'added', ['nomsa@acme']],
      ['credentials', 'added', ['card']],
    ],
    missing: ['nomsa@acme'],
    outdated: [],
  })
})

test('a disabled unit and a later month differ in their settings', () => {
  expect(differenceOf(base, { ...base, inService: false }).differing).toEqual([['inService', 'changed', ['inService']]])
  const { differing } = differenceOf(base, configOf(samplePolicy(), { at: Date.parse('2026-12-01T00:00:00Z') }))
  expect(differing).toContainEqual(['period', 'changed', ['period']])
})

test('the difference of any two configurations is empty if they are equal, and mirrored in the other direction', () => {
  fc.assert(
    fc.property(anyPolicy, anyPolicy, (one, other) => {
      const [a, b] = [configOf(one, { unit: 'unit-1' }), configOf(other, { unit: 'unit-1' })]
      expect(differenceOf(a, a)).toEqual(nothing)
      const [there, back] = [differenceOf(a, b), differenceOf(b, a)]
      expect(there.differing.length > 0).toBe(JSON.stringify(a) !== JSON.stringify(b))
      expect(there.missing.toSorted()).toEqual(back.outdated.toSorted())
      expect(there.outdated.toSorted()).toEqual(back.missing.toSorted())
      for (const key of Object.keys(b.holders)) if (!(key in a.holders)) expect(there.missing).toContain(key)
      for (const key of Object.keys(a.holders)) if (!(key in b.holders)) expect(there.outdated).toContain(key)
    }),
  )
})

test('10,000 credentials are compared in steps', () => {
  const credentials = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `hash ${index}`,
      { _id: `card ${index}`, holder: 'nomsa@acme', validFrom: null, validUntil: null },
    ]),
  )
  let steps = 0
  const comparing = configDifference(base, { ...base, credentials })
  while (!comparing.next().done) steps += 1
  expect(steps).toBeGreaterThan(10_000 / stepSize)
})
