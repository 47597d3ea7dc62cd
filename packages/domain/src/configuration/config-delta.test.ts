import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policyIndex } from '../decision/gather-facts.ts'
import type { Policy } from '../policy.ts'
import { anyPolicy, stage } from '../random-policy.ts'
import { compileUnit } from './compile-unit.ts'
import { applyDelta, combineDeltas, diffConfig } from './config-delta.ts'

const hashNumber = (number: string) => `#${number}`

/** Later months have other periods, and with them other days of zones and holidays. */
const anyMonth = fc.constantFrom(stage.from, stage.from, Date.parse('2026-12-01T00:00:00Z'))

const anyConfig = fc
  .tuple(anyPolicy, anyMonth)
  .map(([policy, at]) => compileUnit({ index: policyIndex(policy), unit: 'unit-1', at, hashNumber }))

const lists = ['doors', 'users', 'credentials', 'rules', 'schedules', 'doorGroups', 'holidays', 'units'] as const

/** Two policies of which the second differs in one list only. */
const anyEdit = fc
  .tuple(anyPolicy, anyPolicy, fc.constantFrom(...lists))
  .map(([policy, other, list]): [Policy, Policy] => [policy, { ...policy, [list]: other[list] }])

function compiled(policy: Policy) {
  return compileUnit({ index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber })
}

describe('a delta', () => {
  test('makes the text of any configuration of any other', () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, (base, next) => {
        expect(JSON.stringify(applyDelta(base, diffConfig(base, next)))).toBe(JSON.stringify(next))
      }),
    )
  })

  test('of an edit makes the edited configuration, and travels as JSON', () => {
    fc.assert(
      fc.property(anyEdit, ([policy, edited]) => {
        const [base, next] = [compiled(policy), compiled(edited)]
        const delta = diffConfig(base, next)
        expect(JSON.parse(JSON.stringify(delta))).toStrictEqual(delta)
        expect(JSON.stringify(applyDelta(base, delta))).toBe(JSON.stringify(next))
      }),
    )
  })

  test('names nothing between equal configurations', () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        const config = compiled(policy)
        const fields = Object.keys(config)
        expect(diffConfig(config, compiled(policy))).toEqual({ fields, values: {}, set: {}, removed: {} })
      }),
    )
  })

  test('of two in succession makes the last configuration of the first', () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, anyConfig, (base, middle, next) => {
        const delta = combineDeltas(diffConfig(base, middle), diffConfig(middle, next))
        expect(JSON.stringify(applyDelta(base, delta))).toBe(JSON.stringify(next))
      }),
    )
  })

  test('names only what was added, changed or removed', () => {
    const base = { from: '2026-01-01', rules: { a: { effect: 'allow' }, b: 1, c: 2 }, areas: { vault: 3 } }
    const next = { from: '2026-02-01', rules: { a: { effect: 'deny' }, b: 1, d: 4 } }
    expect(diffConfig(base, next)).toEqual({
      fields: ['from', 'rules'],
      values: { from: '2026-02-01' },
      set: { rules: { a: { effect: 'deny' }, d: 4 } },
      removed: { rules: ['c'], areas: ['vault'] },
    })
  })

  test('keeps fields that it does not know', () => {
    const base = { later: 'value', sites: {}, more: { x: 1, y: 2 } }
    const next = { later: 'value', sites: {}, more: { x: 1, y: 3 } }
    expect(applyDelta(base, diffConfig(base, next))).toEqual(next)
  })
})
