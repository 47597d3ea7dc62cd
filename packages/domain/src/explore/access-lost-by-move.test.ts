import { expect, test } from 'vitest'
import { policyIndex } from '../decision/index-policy.ts'
import type { Policy } from '../policy.ts'
import { door, group, rule, samplePolicy, user } from '../sample-policy.ts'
import { accessLostByMove } from './access-lost-by-move.ts'

const users = ['nomsa', 'ben', 'cy'].map((_id) => user({ _id }))
const to = (kind: 'Door' | 'Site' | 'Door Group', id: string) => [{ kind, id }]
const of = (id: string) => [{ kind: 'User' as const, id }]

/** Moves the door of Acme to the account. */
function move(account: string, { copiedSites = [], ...changes }: Partial<Policy> & { copiedSites?: string[] }) {
  const index = policyIndex(samplePolicy({ users, ...changes }))
  const doors = [...index.doors.values()]
  const steps = accessLostByMove(index, {
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
  expect(move('other', { rules })).toEqual(['nomsa'])
})

test('§7 moveUnits: a door leaves the groups of its old account, also for rules above both accounts', () => {
  const rules = [rule({ account: 'group', where: to('Door Group', 'doors') })]
  const doorGroups = [group({ _id: 'doors', account: 'acme', members: ['door'] })]
  expect(move('other', { rules, doorGroups })).toEqual(['nomsa'])
  const above = [group({ _id: 'doors', account: 'group', members: ['door'] })]
  expect(move('other', { rules, doorGroups: above })).toEqual([])
})

test('§7 moveUnits: a site that stays behind no longer brings its rules to the door', () => {
  const rules = [rule({ account: 'group', where: to('Site', 'site') })]
  expect(move('other', { rules })).toEqual([])
  expect(move('other', { rules, copiedSites: ['site'] })).toEqual(['nomsa'])
})

test('§7 moveUnits: users keep access by another door or another rule', () => {
  const doors = [door(), door({ _id: 'second', unitDoor: 2 })]
  const rules = [rule({ _id: 'a' }), rule({ _id: 'b', account: 'group', where: to('Door', 'second') })]
  expect(move('other', { doors, rules })).toEqual([])
})
