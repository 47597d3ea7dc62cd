import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideAccess } from '../decision/decide-access.ts'
import { forkIndex } from '../decision/fork-index.ts'
import { gatherFacts, policyIndex } from '../decision/gather-facts.ts'
import { type GroupList, type PolicyIndex, policyOf, type UpdatableIndex } from '../decision/policy-index.ts'
import type { PolicyItems, PolicyList } from '../decision/update-index.ts'
import type { Policy } from '../policy.ts'
import { anyInstant, anyPolicy, numbers } from '../random-policy.ts'
import { credential, door, group, rule, samplePolicy, schedule, user } from '../sample-policy.ts'
import { withoutInterruption } from '../steps.ts'
import { type AffectedUnits, applyItems, applyMembers } from './affected-units.ts'
import { type CompiledUnit, compileInSteps, compileTail, compileUnit } from './compile-unit.ts'
import { diffConfig } from './config-delta.ts'
import { configEnd, configPieces } from './config-text.ts'
import { mostAdded } from './most-added.ts'

const units = ['unit-1', 'unit-2']
const hashNumber = (number: string) => `hash of ${number}`
const at = Date.parse('2026-10-25T12:00:00Z')
const past = '2020-01-01T00:00:00Z'

/** Makes the items under one id of a list those of another policy, which may have none. */
type Take = (index: UpdatableIndex, id: string, policy: Policy) => AffectedUnits

const takes: Record<PolicyList, Take> = {
  accounts: (index, id, { accounts }) => takeItems(index, { list: 'accounts', id, from: accounts }),
  sites: (index, id, { sites }) => takeItems(index, { list: 'sites', id, from: sites }),
  doors: (index, id, { doors }) => takeItems(index, { list: 'doors', id, from: doors }),
  units: (index, id, { units: from }) => takeItems(index, { list: 'units', id, from }),
  users: (index, id, { users }) => takeItems(index, { list: 'users', id, from: users }),
  credentials: (index, id, { credentials }) => takeItems(index, { list: 'credentials', id, from: credentials }),
  rules: (index, id, { rules }) => takeItems(index, { list: 'rules', id, from: rules }),
  schedules: (index, id, { schedules }) => takeItems(index, { list: 'schedules', id, from: schedules }),
  holidays: (index, id, { holidays }) => takeItems(index, { list: 'holidays', id, from: holidays }),
  lockdownPlans: (index, id, { lockdownPlans: from }) => takeItems(index, { list: 'lockdownPlans', id, from }),
  userGroups: (index, id, policy) => takeGroup(index, { list: 'userGroups', id, policy }),
  doorGroups: (index, id, policy) => takeGroup(index, { list: 'doorGroups', id, policy }),
  siteGroups: (index, id, policy) => takeGroup(index, { list: 'siteGroups', id, policy }),
  interlockingGroups: (index, id, policy) => takeGroup(index, { list: 'interlockingGroups', id, policy }),
}

type TakeItems<List extends PolicyList> = { list: List; id: string; from: readonly PolicyItems[List][] }

function takeItems<List extends PolicyList>(index: UpdatableIndex, { list, id, from }: TakeItems<List>) {
  return applyItems(index, { list, id, items: from.filter(({ _id }) => _id === id) })
}

function takeGroup(index: UpdatableIndex, { list, id, policy }: { list: GroupList; id: string; policy: Policy }) {
  const { members: own = [], ...group } = policy[list].find(({ _id }) => _id === id) ?? {}
  const items = '_id' in group ? [group] : []
  const itself = applyItems(index, { list, id, items })
  const had = index[list].members.get(id) ?? new Set()
  const members = new Set(own)
  const [added, removed] = [members.difference(had), had.difference(members)]
  return union([itself, applyMembers(index, { list, group: id, added, removed })])
}

function union(all: readonly AffectedUnits[]): AffectedUnits {
  return all.includes('all') ? 'all' : new Set(all.flatMap((one) => (one === 'all' ? [] : [...one])))
}

const lists: readonly PolicyList[] = [
  'accounts',
  'sites',
  'doors',
  'units',
  'users',
  'credentials',
  'rules',
  'rules',
  'schedules',
  'holidays',
  'lockdownPlans',
  'userGroups',
  'doorGroups',
  'siteGroups',
  'interlockingGroups',
]

const anyStep = fc.record({
  list: fc.constantFrom(...lists),
  place: fc.nat(20),
})

test('after any changes an index decides and compiles like one built from the result, and every affected unit was returned', () => {
  const run = fc.property(
    fc.array(anyPolicy, { minLength: 2, maxLength: 3 }),
    fc.array(fc.tuple(anyStep, fc.nat(2)), { minLength: 1, maxLength: 15, size: 'max' }),
    anyInstant,
    (policies, steps, instant) => {
      const [first] = policies
      if (!first) return
      const index = policyIndex(first)
      for (const [{ list, place }, which] of steps) {
        const policy = policies[which % policies.length] ?? first
        const ids = policies.flatMap((each) => each[list].map(({ _id }) => _id))
        const before = texts(index)
        const affected = takes[list](index, ids[place % ids.length] ?? '', policy)
        for (const [unit, text] of texts(index)) {
          if (text !== before.get(unit)) expect(affected === 'all' || affected.has(unit)).toBe(true)
        }
      }
      const fresh = policyIndex(policyOf(index))
      expect(texts(index)).toEqual(texts(fresh))
      expect(decisions(index, instant)).toEqual(decisions(fresh, instant))
    },
  )
  fc.assert(run, { numRuns: 200 })
})

test('the same changes of a fork give the same index, and leave the other one as it was', () => {
  const run = fc.property(
    fc.tuple(anyPolicy, anyPolicy),
    fc.array(anyStep, { minLength: 1, maxLength: 15, size: 'max' }),
    anyInstant,
    ([policy, other], steps, instant) => {
      const [base, changed] = [policyIndex(policy), policyIndex(policy)]
      const fork = forkIndex(base)
      for (const { list, place } of steps) {
        const ids = [policy, other].flatMap((each) => each[list].map(({ _id }) => _id))
        const id = ids[place % ids.length] ?? ''
        expect(takes[list](fork, id, other)).toEqual(takes[list](changed, id, other))
      }
      expect(inAnyOrder(fork)).toEqual(inAnyOrder(changed))
      expect(texts(fork)).toEqual(texts(changed))
      expect(decisions(fork, instant)).toEqual(decisions(changed, instant))
      const untouched = policyIndex(policy)
      expect(inAnyOrder(base)).toEqual(inAnyOrder(untouched))
      expect(decisions(base, instant)).toEqual(decisions(untouched, instant))
    },
  )
  fc.assert(run, { numRuns: 200 })
})

test('no unit needs more after a change than before it and what the change adds at most', () => {
  let grown = 0
  const run = fc.property(
    fc.tuple(anyPolicy, anyPolicy),
    fc.array(anyStep, { minLength: 1, maxLength: 3 }),
    (policies, steps) => {
      const [policy, other] = policies.map(withOwnNumbers)
      if (!policy || !other) return
      const before = policyIndex(policy)
      const index = forkIndex(before)
      const items = steps.map(({ list, place }) => {
        const ids = [policy, other].flatMap((each) => each[list].map(({ _id }) => _id))
        const id = ids[place % ids.length] ?? ''
        takes[list](index, id, other)
        return { list, id }
      })
      const most = withoutInterruption(mostAdded({ before, index }, items))
      for (const unit of units) {
        const needs = (of: PolicyIndex) =>
          withoutInterruption(compileInSteps({ index: of, unit, at, hashNumber })).needs
        const [was, is] = [needs(before), needs(index)]
        if (is.credentials > was.credentials) grown += 1
        for (const kind of ['doors', 'credentials', 'schedules'] as const)
          expect(is[kind]).toBeLessThanOrEqual(was[kind] + most[kind])
      }
    },
  )
  fc.assert(run, { numRuns: 1_000 })
  // Otherwise the changes were too small.
  expect(grown).toBeGreaterThan(10)
})

test('a door that begins to ask for PINs adds the PINs of all users of its unit', () => {
  const doors = [door(), door({ _id: 'side', unitDoor: 2 })]
  const pin = credential({ _id: 'pin', kind: 'pin', number: '2580' })
  const before = policyIndex(samplePolicy({ doors, credentials: [credential(), pin] }))
  const index = forkIndex(before)
  applyItems(index, { list: 'doors', id: 'side', items: [door({ _id: 'side', unitDoor: 2, requiresPin: true })] })
  const needs = (of: PolicyIndex) => compiledUnit(of, 'unit').needs.credentials
  expect([needs(before), needs(index)]).toEqual([1, 2])
  const most = withoutInterruption(mostAdded({ before, index }, [{ list: 'doors', id: 'side' }]))
  expect(most.credentials).toBeGreaterThanOrEqual(1)
})

function withOwnNumbers({ credentials, ...policy }: Policy): Policy {
  return { ...policy, credentials: credentials.map((each) => ({ ...each, number: `${each.number} of ${each._id}` })) }
}

function inAnyOrder(index: PolicyIndex) {
  const sorted = (items: readonly { _id: string; members?: readonly string[] }[]) =>
    items.map((item) => JSON.stringify(item.members ? { ...item, members: item.members.toSorted() } : item)).sort()
  const { version: _version, ...all } = policyOf(index)
  return Object.values(all).map(sorted)
}

/** One field of one item becomes that of another item of its list. `isCompiled`: the units are compiled after it. */
const anyEdit = fc.record({
  list: fc.constantFrom(...lists),
  place: fc.nat(20),
  donor: fc.nat(20),
  field: fc.nat(20),
  isCompiled: fc.boolean(),
})

test('while the basis of a unit stays, so do its holders and credentials, and its tail alone makes the rest', () => {
  let [shortcuts, changesOfRules] = [0, 0]
  const run = fc.property(
    fc.tuple(anyPolicy, anyPolicy),
    fc.array(anyEdit, { minLength: 1, maxLength: 15, size: 'max' }),
    ([policy, other], edits) => {
      const index = policyIndex(policy)
      let before = compiledUnits(index)
      for (const { list, place, donor, field, isCompiled } of edits) {
        const items = policyOf(index)[list]
        const item = items[place % items.length]
        const donors = [...items, ...other[list]]
        if (!item) continue
        const values = Object.entries<unknown>({ ...item, ...donors[donor % donors.length], _id: item._id })
        const edited = { ...item, ...Object.fromEntries(values.slice(field % values.length).slice(0, 1)) }
        takes[list](index, item._id, { ...policy, [list]: [edited] })
        if (!isCompiled) continue
        const after = compiledUnits(index)
        for (const [unit, compiled] of after) {
          const known = before.get(unit)
          const tail = known && tailAfter(known, { index, unit })
          if (!known || !tail) continue
          expect({ ...known, ...tail, leftOut: compiled.leftOut }).toEqual(compiled)
          if (JSON.stringify(known.head) !== JSON.stringify(compiled.head)) shortcuts += 1
          if (JSON.stringify(known.access) !== JSON.stringify(compiled.access)) changesOfRules += 1
        }
        before = after
      }
    },
  )
  fc.assert(run, { numRuns: 800 })
  // Otherwise too few tails were made alone.
  expect(shortcuts).toBeGreaterThan(60)
  expect(changesOfRules).toBeGreaterThan(5)
})

function tailAfter(
  { subjects, basis, credentials }: CompiledUnit,
  { index, unit }: { index: PolicyIndex; unit: string },
) {
  return compileTail({ index, unit, at }, { subjects, basis, credentials: credentials.length })
}

test.each<[string, boolean, (index: UpdatableIndex) => AffectedUnits]>([
  ['the direction of a rule', false, (index) => setRule(index, { direction: 'exit' })],
  ['the schedule of a rule', false, (index) => setRule(index, { schedule: 'hours' })],
  ['the mode of a door', false, (index) => setDoor(index, { mode: 'unlocked' })],
  ['the unlock schedule of a door', false, (index) => setDoor(index, { unlockSchedule: 'hours' })],
  ['a second rule for the same user', false, (index) => addRule(index, {})],
  ['a deny rule for the same user', false, (index) => addRule(index, { effect: 'deny' })],
  ['a rule for a group', true, (index) => addRule(index, { who: [{ kind: 'User Group', id: 'team' }] })],
  ['an effect that ends access', true, (index) => setRule(index, { effect: 'deny' })],
  ['the user', true, (index) => applyItems(index, { list: 'users', id: 'nomsa', items: [user({ validUntil: past })] })],
  ['the period of a rule', true, (index) => setRule(index, { adhoc: { from: past, until: past } })],
  ['a PIN after the card', true, (index) => setDoor(index, { requiresPin: true })],
  ['a PIN alone', true, (index) => setDoor(index, { acceptsPinAlone: true })],
  ['the first person of a door', true, (index) => setDoor(index, { firstPersonGroup: 'team' })],
])('after a change of %s, holders may differ: %s', (_what, mayDiffer, change) => {
  const index = policyIndex(samplePolicy())
  const before = compiledUnit(index, 'unit')
  expect(change(index)).toEqual(new Set(['unit']))
  expect(tailAfter(before, { index, unit: 'unit' }) === undefined).toBe(mayDiffer)
})

test('another rule for a group that has one changes the rules and the access of the group, and no holder or credential', () => {
  const ids = Array.from({ length: 50 }, (_, at) => `user-${at}`)
  const who = [{ kind: 'User Group' as const, id: 'team' }]
  const index = policyIndex(
    samplePolicy({
      users: ids.map((_id) => user({ _id })),
      credentials: ids.map((_id, at) => credential({ _id: `card-${at}`, user: _id, number: `${at}` })),
      userGroups: [{ _id: 'team', account: 'acme', name: 'Team', members: ids }],
      rules: [rule({ who })],
    }),
  )
  const before = compileUnit({ index, unit: 'unit', at, hashNumber })
  expect(Object.keys(before.holders)).toHaveLength(50)
  addRule(index, { who })
  const added = { effect: 'allow', direction: 'both', adhoc: null, schedule: null }
  expect(diffConfig(before, compileUnit({ index, unit: 'unit', at, hashNumber }))).toEqual({
    fields: Object.keys(before),
    values: {},
    set: { access: { team: { doors: { 1: { allow: ['another', 'rule'], deny: [] } } } }, rules: { another: added } },
    removed: {},
  })
})

test('a user who joined a group while it had no rule at a unit counts there once the group has its rule again', () => {
  const who = [{ kind: 'User Group' as const, id: 'team' }]
  const userGroups = [{ _id: 'team', account: 'acme', name: 'Team', members: [] }]
  const index = policyIndex(samplePolicy({ userGroups, rules: [rule(), rule({ _id: 'another', who })] }))
  const before = compiledUnit(index, 'unit')
  addRule(index, { who: [] })
  expect(applyMembers(index, { list: 'userGroups', group: 'team', added: ['nomsa'], removed: [] })).toEqual(new Set())
  addRule(index, { who })
  expect(compiledUnit(index, 'unit').holders).not.toEqual(before.holders)
  expect(tailAfter(before, { index, unit: 'unit' })).toBeUndefined()
})

function addRule(index: UpdatableIndex, changes: Parameters<typeof rule>[0]) {
  return applyItems(index, { list: 'rules', id: 'another', items: [rule({ _id: 'another', ...changes })] })
}

function setRule(index: UpdatableIndex, changes: Parameters<typeof rule>[0]) {
  return applyItems(index, { list: 'rules', id: 'rule', items: [rule(changes)] })
}

function setDoor(index: UpdatableIndex, changes: Parameters<typeof door>[0]) {
  return applyItems(index, { list: 'doors', id: 'door', items: [door(changes)] })
}

test('a configuration with more schedules than fit is not made of a tail alone', () => {
  const index = policyIndex(samplePolicy())
  const input = { index, unit: 'unit', at, hashNumber, capacity: { doors: 1, credentials: 1, schedules: 0 } }
  const { subjects, basis } = compiledUnit(index, 'unit')
  const known = { subjects, basis, credentials: 1 }
  expect(compileTail(input, known)?.needs).toEqual({ doors: 1, credentials: 1, schedules: 0 })
  applyItems(index, { list: 'schedules', id: 'hours', items: [schedule({ _id: 'hours' })] })
  setRule(index, { schedule: 'hours' })
  expect(compileTail(input, known)).toBeUndefined()
})

test('a user or a card without a rule affects no unit', () => {
  const stranger = user({ _id: 'stranger' })
  const own = credential({ _id: 'own', user: 'stranger', number: '5' })
  const index = policyIndex(samplePolicy({ users: [user(), stranger], credentials: [credential(), own] }))
  const suspended = user({ _id: 'stranger', status: 'suspended' })
  expect(applyItems(index, { list: 'users', id: 'stranger', items: [suspended] })).toEqual(new Set())
  expect(applyItems(index, { list: 'credentials', id: 'own', items: [] })).toEqual(new Set())
  const lost = credential({ status: 'lost' })
  expect(applyItems(index, { list: 'credentials', id: lost._id, items: [lost] })).toEqual(new Set(['unit']))
})

test('a new name affects no unit, except that of a door', () => {
  const { sites, doors, ...policy } = samplePolicy()
  const index = policyIndex({ ...policy, sites, doors })
  const named = <T>(items: readonly T[]) => items.map((item) => ({ ...item, name: 'Quay' }))
  expect(applyItems(index, { list: 'sites', id: 'site', items: named(sites) })).toEqual(new Set())
  expect(index.sites.get('site')?.name).toBe('Quay')
  expect(applyItems(index, { list: 'doors', id: 'door', items: named(doors) })).toEqual(new Set(['unit']))
})

test('where a door begins to ask for PINs, those of all users of its controller can join the configuration', () => {
  const inner = (requiresPin: boolean) => door({ _id: 'inner', unitDoor: 2, site: 'empty', requiresPin })
  const before = policyIndex(samplePolicy({ doors: [door(), inner(false)] }))
  const most = (requiresPin: boolean) => {
    const index = forkIndex(before)
    applyItems(index, { list: 'doors', id: 'inner', items: [inner(requiresPin)] })
    return withoutInterruption(mostAdded({ before, index }, [{ list: 'doors', id: 'inner' }])).credentials
  }
  expect(most(true)).toBeGreaterThan(0)
  expect(most(false)).toBe(0)
})

test('a door of another unit that enters an interlock, or is wired to a third unit, affects the units of all its doors', () => {
  const inner = (unit: string | null) => door({ _id: 'inner', unit })
  const interlockingGroups = [group({ _id: 'lock', members: ['door'] })]
  const index = policyIndex(samplePolicy({ doors: [door(), inner('other')], interlockingGroups }))
  const member = {
    list: 'interlockingGroups',
    group: 'lock',
    added: new Set<string>(),
    removed: new Set<string>(),
  } as const
  expect(applyMembers(index, { ...member, added: new Set(['inner']) })).toEqual(new Set(['unit', 'other']))
  const rewired = applyItems(index, { list: 'doors', id: 'inner', items: [inner('third')] })
  expect(rewired).toEqual(new Set(['unit', 'other', 'third']))
  const unwired = applyItems(index, { list: 'doors', id: 'inner', items: [inner(null)] })
  expect(unwired).toEqual(new Set(['unit', 'third']))
  expect(applyMembers(index, { ...member, removed: new Set(['inner']) })).toEqual(new Set(['unit']))
})

test('a door or a site that joins a group of a plan affects its units only if the plan lets users pass', () => {
  const unitsOfNew = (list: 'doorGroups' | 'siteGroups', mayPass: readonly string[]) => {
    const kind = list === 'doorGroups' ? ('Door Group' as const) : ('Site Group' as const)
    const places = [{ kind, id: 'places' }]
    const plan = { _id: 'plan', account: 'group', name: 'Plan', places, mayPass, cardGroups: [], cardDoors: [] }
    const groups = [group({ _id: 'places', members: [] })]
    const index = policyIndex(samplePolicy({ [list]: groups, rules: [rule()], lockdownPlans: [plan] }))
    const added = new Set([list === 'doorGroups' ? 'door' : 'site'])
    return applyMembers(index, { list, group: 'places', added, removed: new Set() })
  }
  for (const list of ['doorGroups', 'siteGroups'] as const) {
    expect(unitsOfNew(list, ['team'])).toEqual(new Set(['unit']))
    expect(unitsOfNew(list, [])).toEqual(new Set())
  }
})

test('the pieces of a configuration together are its text', () => {
  const run = fc.property(anyPolicy, (policy) => {
    const input = { index: policyIndex(policy), unit: 'unit-1', at, hashNumber }
    const steps = compileInSteps(input)
    let step = steps.next()
    while (!step.done) step = steps.next()
    const pieces = [...configPieces(step.value)].map(({ before, text }) => before + text)
    expect([...pieces, configEnd].join('')).toBe(JSON.stringify(compileUnit(input)))
  })
  fc.assert(run, { numRuns: 50 })
})

function compiledUnits(index: PolicyIndex) {
  return new Map(units.map((unit) => [unit, compiledUnit(index, unit)]))
}

function compiledUnit(index: PolicyIndex, unit: string) {
  return withoutInterruption(compileInSteps({ index, unit, at, hashNumber }))
}

function texts(index: PolicyIndex) {
  return new Map(units.map((unit) => [unit, JSON.stringify(compileUnit({ index, unit, at, hashNumber }))]))
}

function decisions(index: PolicyIndex, instant: number) {
  return [...index.doors.keys()].flatMap((door) =>
    numbers.map((credentialNumber) =>
      decideAccess(gatherFacts(index, { door, credentialNumber, direction: 'entry', at: instant })),
    ),
  )
}

test('holders name the groups of a plan before its lockdown, so that no exception waits for a configuration', () => {
  const team = { _id: 'team', account: 'acme', name: 'Team', members: ['nomsa'] }
  const plan = {
    _id: 'plan',
    account: 'group',
    name: 'Plan',
    places: [],
    mayPass: ['team'],
    cardGroups: [],
    cardDoors: [],
  }
  const at = Date.parse('2026-10-25T12:00:00Z')
  const accessOf = (lockdownPlans: Policy['lockdownPlans']) => {
    const index = policyIndex(samplePolicy({ userGroups: [team], lockdownPlans }))
    const [holder] = Object.values(compileUnit({ index, unit: 'unit', at, hashNumber }).holders)
    return holder?.access
  }
  expect(accessOf([plan])).toEqual(['nomsa'])
  expect(accessOf([{ ...plan, places: [{ kind: 'Site', id: 'site' }] }])).toEqual(['nomsa', 'team'])
  expect(accessOf([{ ...plan, account: 'other', places: [{ kind: 'Site', id: 'site' }] }])).toEqual(['nomsa'])
})
