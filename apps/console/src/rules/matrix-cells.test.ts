import type { rules } from '@portcullis/contract/collections/rules'
import type { EntityOf } from '@portcullis/contract/collection'
import { expect, test } from 'vitest'
import { cellsOf, pairKey, withEdits } from './matrix-cells.ts'

type Rule = EntityOf<typeof rules>
const shown = { groups: ['G1', 'G2'], places: ['D1'] }
const containers = [{ place: 'D1', kind: 'Site' as const, _id: 'S1', name: 'Cold Store' }]

test('a cell shows the schedules of the rules that name both the group and the door', () => {
  const cell = cellsOf({ ...shown, rules: [rule({}), rule({ schedule: 'T1' })], containers, edits: new Map() })
  expect(cell('G1', 'D1')).toMatchObject({
    schedules: [null, 'T1'],
    isChanged: false,
    isDenied: false,
    through: [],
    others: 0,
  })
  expect(cell('G2', 'D1').schedules).toEqual([])
})

test('a cell names the site through which the group has access, and shows a denial of it', () => {
  const site = [{ kind: 'Site' as const, id: 'S1' }]
  const through = cellsOf({ ...shown, rules: [rule({ where: site })], containers, edits: new Map() })('G1', 'D1')
  expect(through).toMatchObject({ schedules: [], through: ['Cold Store'], isDenied: false, rules: [{ name: 'Rule' }] })
  const denied = cellsOf({ ...shown, rules: [rule({ where: site, effect: 'deny' })], containers, edits: new Map() })(
    'G1',
    'D1',
  )
  expect(denied).toMatchObject({ through: [], isDenied: true })
})

test('a disabled denial and a rule for one direction count as other rules', () => {
  const others = [rule({ effect: 'deny', enabled: false }), rule({ direction: 'entry' })]
  expect(cellsOf({ ...shown, rules: others, containers, edits: new Map() })('G1', 'D1')).toMatchObject({
    schedules: [],
    isDenied: false,
    others: 2,
  })
})

test('an edit replaces what a cell shows, until it gives the cell the saved value', () => {
  const input = { ...shown, rules: [rule({})], containers }
  const saved = cellsOf({ ...input, edits: new Map() })
  const place = { kind: 'Door' as const, id: 'D1' }
  const edits = withEdits({ edits: new Map(), pairs: [{ group: 'G1', place, access: { schedule: 'T1' } }], saved })
  expect(cellsOf({ ...input, edits })('G1', 'D1')).toMatchObject({ schedules: ['T1'], isChanged: true })
  expect([...edits.keys()]).toEqual([pairKey('G1', 'D1')])
  expect(withEdits({ edits, pairs: [{ group: 'G1', place, access: { schedule: null } }], saved }).size).toBe(0)
})

function rule(fields: Partial<Rule>): Rule {
  return {
    _id: 'R1',
    account: 'A1',
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    name: 'Rule',
    effect: 'allow',
    who: [{ kind: 'User Group', id: 'G1' }],
    where: [{ kind: 'Door', id: 'D1' }],
    schedule: null,
    direction: 'both',
    adhoc: null,
    enabled: true,
    note: null,
    guest: null,
    ...fields,
  }
}
