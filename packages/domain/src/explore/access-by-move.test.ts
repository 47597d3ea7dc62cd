import { expect, test } from 'vitest'
import { policyIndex } from '../decision/index-policy.ts'
import type { Policy } from '../policy.ts'
import { door, group, rule, samplePolicy, user } from '../sample-policy.ts'
import { accessByMove } from './access-by-move.ts'

const users = ['nomsa', 'ben', 'cy'].map((_id) => user({ _id }))
const to = (kind: 'Door' | 'Site' | 'Door Group', id: string) => [{ kind, id }]
const of = (id: string) => [{ kind: 'User' as const, id }]

/** Moves the door of Acme to the account. */
function move(account: string, changes: Moved) {
  const { loses, gains } = outcome(account, changes)
  return { loses, gains }
}

type Moved = Partial<Policy> & { copiedSites?: string[] }

function outcome(account: string, { copiedSites = [], ...changes }: Moved) {
  const index = policyIndex(samplePolicy({ users, ...changes }))
  const doors = [...index.doors.values()]
  const steps = accessByMove(index, {
    doors,
    account,
    copiedSites: new Set(copiedSites),
    now: Date.parse('2026-11-25'),
  })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('§7 moveUnits: users whose rules belong to the old account lose the door, and those by rules above both keep it', () => {
  const rules = [
    rule({ _id: 'a', account: 'acme', who: of('nomsa') }),
    rule({ _id: 'c', account: 'group', who: of('cy') }),
  ]
  expect(move('other', { rules })).toEqual({ loses: ['nomsa'], gains: [] })
})

test('§7 moveUnits: a door leaves the groups of its old account, also for rules above both accounts', () => {
  const rules = [rule({ account: 'group', where: to('Door Group', 'doors') })]
  const doorGroups = [group({ _id: 'doors', account: 'acme', members: ['door'] })]
  expect(move('other', { rules, doorGroups })).toEqual({ loses: ['nomsa'], gains: [] })
  const above = [group({ _id: 'doors', account: 'group', members: ['door'] })]
  expect(move('other', { rules, doorGroups: above })).toEqual({ loses: [], gains: [] })
})

test('§7 moveUnits: a site that stays behind no longer brings its rules to the door', () => {
  const rules = [rule({ account: 'group', where: to('Site', 'site') })]
  expect(move('other', { rules })).toEqual({ loses: [], gains: [] })
  expect(move('other', { rules, copiedSites: ['site'] })).toEqual({ loses: ['nomsa'], gains: [] })
})

test('§7 moveUnits: users who keep one door by another rule lose only those whose last rule ends', () => {
  const doors = [door(), door({ _id: 'second', unitDoor: 2 })]
  const above = rule({ _id: 'b', account: 'group', where: to('Door', 'second') })
  const rules = [rule({ _id: 'a' }), above]
  expect(move('other', { doors, rules })).toEqual({ loses: ['nomsa'], gains: [] })
  expect(move('other', { doors, rules: [...rules, { ...above, _id: 'c', where: to('Door', 'door') }] })).toEqual({
    loses: [],
    gains: [],
  })
})

test('§7 moveUnits: users whose deny rule ends with the old account gain the door', () => {
  const deny = rule({ _id: 'deny', account: 'acme', effect: 'deny' })
  const rules = [rule({ account: 'group' }), deny]
  expect(move('other', { rules })).toEqual({ loses: [], gains: ['nomsa'] })
  expect(move('other', { rules: [rule({ account: 'group' }), { ...deny, account: 'group' }] })).toEqual({
    loses: [],
    gains: [],
  })
})

test('§7 moveUnits: a user whom an unlimited deny rule of an account above keeps out neither gains nor loses a door', () => {
  const rules = [
    rule({ account: 'group' }),
    rule({ _id: 'ends', account: 'acme', effect: 'deny', direction: 'entry' }),
    rule({ _id: 'stays', account: 'group', effect: 'deny' }),
  ]
  expect(move('other', { rules })).toEqual({ loses: [], gains: [] })
  const limited = rules.map((each) => (each._id === 'stays' ? { ...each, direction: 'exit' as const } : each))
  expect(move('other', { rules: limited })).toEqual({ loses: [], gains: ['nomsa'] })
  const allowEnds = [rule({ account: 'acme' }), rule({ _id: 'stays', account: 'group', effect: 'deny' })]
  expect(move('other', { rules: allowEnds })).toEqual({ loses: [], gains: [] })
})

test('§7 moveUnits: rules end that named the doors, also through groups of the old account and sites that stay', () => {
  const rules = [
    rule({ _id: 'door' }),
    rule({ _id: 'group', account: 'group', where: to('Door Group', 'doors') }),
    rule({ _id: 'site', account: 'group', where: to('Site', 'site') }),
    rule({ _id: 'stays', account: 'group' }),
    rule({ _id: 'elsewhere', where: to('Door', 'another') }),
  ]
  const changes = { rules, doorGroups: [group({ _id: 'doors', account: 'acme', members: ['door'] })] }
  expect(outcome('other', changes).endedRules).toEqual(['door', 'group'])
  expect(outcome('other', { ...changes, copiedSites: ['site'] }).endedRules.toSorted()).toEqual([
    'door',
    'group',
    'site',
  ])
})
