import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Access, batchOf, type Edit, isBetween, isPlain, type Place, type Rule } from './matrix-edits.ts'

const groups = ['G1', 'G2', 'G3']
const places: Place[] = ['P1', 'P2', 'P3', 'P4'].map((id) => ({ kind: 'Door', id }))
const schedules = [null, 'S1', 'S2']

const someOf = <T>(from: readonly T[]) => fc.subarray([...from], { minLength: 1 })
const rule = (at: number): fc.Arbitrary<Rule> =>
  fc.record({
    _id: fc.constant(`R${at}`),
    version: fc.constant(at),
    name: fc.constant(`Rule ${at}`),
    effect: fc.constantFrom('allow', 'allow', 'allow', 'deny'),
    who: someOf([...groups, 'U1']).map((ids) =>
      ids.map((id) => ({ kind: id === 'U1' ? ('User' as const) : ('User Group' as const), id })),
    ),
    where: someOf(places),
    schedule: fc.constantFrom(...schedules),
    direction: fc.constantFrom('both', 'both', 'entry'),
    adhoc: fc.constant(null),
    enabled: fc.constantFrom(true, true, false),
  })
const someRules = fc
  .integer({ min: 0, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => rule(at))))
const access: fc.Arbitrary<Access> = fc.option(fc.record({ schedule: fc.constantFrom(...schedules) }), {
  nil: undefined,
})
const someEdits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({ group: fc.constantFrom(...groups), place: fc.constantFrom(...places), access }),
  { maxLength: 6 },
)

/** As the server does. */
function saved(rules: readonly Rule[], edits: readonly Edit[]): Rule[] {
  const batch = batchOf({ rules, edits, nameOf: () => 'New' })
  const changed = new Map(batch.save.flatMap((row) => ('_id' in row ? [[row._id, row] as const] : [])))
  const added = batch.save.flatMap((row, at): Rule[] =>
    '_id' in row ? [] : [{ ...row, _id: `N${at}`, version: 1, direction: 'both', adhoc: null, enabled: true }],
  )
  const kept = rules.filter(({ _id }) => !batch.delete.some((gone) => gone._id === _id))
  return [...kept.map((each) => ({ ...each, ...changed.get(each._id) })), ...added]
}

/** The schedules by which someone has access at a place. */
function accessAt(rules: readonly Rule[], pair: { group: string; place: string }) {
  return [...new Set(rules.filter((each) => isPlain(each) && isBetween(each, pair)).map(({ schedule }) => schedule))]
}

test('after any edits, each edited pair has the desired access, and every other one what it had', () => {
  fc.assert(
    fc.property(someRules, someEdits, (rules, edits) => {
      const after = saved(rules, edits)
      for (const group of [...groups, 'U1']) {
        for (const { id: place } of places) {
          const pair = { group, place }
          const last = edits.findLast((edit) => edit.group === group && edit.place.id === place)
          const desired = last?.access ? [last.access.schedule] : []
          const expected = last ? desired : accessAt(rules, pair)
          expect(new Set(accessAt(after, pair))).toEqual(new Set(expected))
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

test('rules that deny, are disabled or apply in one direction stay as they are', () => {
  fc.assert(
    fc.property(someRules, someEdits, (rules, edits) => {
      const after = saved(rules, edits)
      for (const each of rules.filter((one) => !isPlain(one))) expect(after).toContainEqual(each)
    }),
  )
})

test('an edit that changes nothing saves nothing', () => {
  const rules = [plain({ who: ['G1'], where: ['P1', 'P2'] })]
  const edits = [{ group: 'G1', place: places[0], access: { schedule: null } }].flatMap(({ place, ...edit }) =>
    place ? [{ ...edit, place }] : [],
  )
  expect(batchOf({ rules, edits, nameOf: () => 'New' })).toEqual({ save: [], delete: [] })
})

test('a rule that loses its last pair is deleted, and a new place joins the own rule of the group', () => {
  const rules = [plain({ who: ['G1'], where: ['P1'] }), { ...plain({ who: ['G2'], where: ['P1'] }), _id: 'R2' }]
  const at = (id: string): Place => ({ kind: 'Door', id })
  const edits: Edit[] = [
    { group: 'G1', place: at('P1'), access: undefined },
    { group: 'G2', place: at('P2'), access: { schedule: null } },
  ]
  const { save, delete: deleted } = batchOf({ rules, edits, nameOf: () => 'New' })
  expect(deleted).toEqual([{ _id: 'R1', version: 1 }])
  expect(save).toEqual([
    { _id: 'R2', version: 1, who: [{ kind: 'User Group', id: 'G2' }], where: [at('P1'), at('P2')] },
  ])
})

function plain({ who, where }: { who: string[]; where: string[] }): Rule {
  return {
    _id: 'R1',
    version: 1,
    name: 'Rule',
    effect: 'allow',
    who: who.map((id) => ({ kind: 'User Group', id })),
    where: where.map((id) => ({ kind: 'Door', id })),
    schedule: null,
    direction: 'both',
    adhoc: null,
    enabled: true,
  }
}
