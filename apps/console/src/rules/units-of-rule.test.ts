import { expect, test } from 'vitest'
import { unitsOfRule } from './units-of-rule.ts'

const doors = [
  { _id: 'gate', site: 'north', unit: 'u1' },
  { _id: 'bay', site: 'north', unit: 'u2' },
  { _id: 'roof', site: 'south', unit: null },
  { _id: 'front', site: 'south', unit: 'u3' },
]
const groups = new Map([
  ['bays', ['bay']],
  ['all', ['north', 'south']],
])
const input = { doors, membersOf: ({ id }: { id: string }) => groups.get(id) }

test.each([
  [[{ kind: 'Door', id: 'gate' }], ['u1']],
  [[{ kind: 'Door Group', id: 'bays' }], ['u2']],
  [[{ kind: 'Site', id: 'south' }], ['u3']],
  [[{ kind: 'Site Group', id: 'all' }], ['u1', 'u2', 'u3']],
  [[{ kind: 'Door', id: 'roof' }], []],
] as const)('the controllers of the doors that a rule names are found through groups and sites', (where, units) => {
  expect([...(unitsOfRule(where, input) ?? [])].sort()).toEqual(units)
})

test('nothing is returned for an unknown group', () => {
  expect(unitsOfRule([{ kind: 'Door Group', id: 'elsewhere' }], input)).toBeUndefined()
})
