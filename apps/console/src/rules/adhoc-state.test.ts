import { rules } from '@portcullis/contract/collections/rules'
import { expect, test } from 'vitest'
import { matchesQuery } from '../list/filters/matches-query.ts'
import { adhocStateOf, adhocStates, stateFilter, boxOf, endedNow, extended } from './adhoc-state.ts'

const at = (hours: number) => new Date(2026, 10, 20, 18 + hours, 42)
const box = (from: number, until: number) => ({ from: at(from).toISOString(), until: at(until).toISOString() })
const now = at(0)

test.each([
  ['in_force', box(-1, 1)],
  ['in_force', box(0, 1)],
  ['to_come', box(1, 2)],
  ['ended', box(-2, -1)],
  ['ended', box(-2, 0)],
] as const)(
  '§2 adhoc: a rule is %s, and the list that asks for this state finds it and no other does',
  (state, adhoc) => {
    expect(adhocStateOf(adhoc, now)).toBe(state)
    const finders = adhocStates.filter((each) => matchesQuery(rules, { adhoc }, { filter: stateFilter(each, now) }))
    expect(finders).toEqual([state])
  },
)

test('§2 adhoc: active access is extended from its end, and ended access from now', () => {
  expect(extended(box(-1, 1), { by: 'hour', now })).toEqual(box(-1, 2))
  expect(extended(box(-9, -3), { by: 'day', now })).toEqual(box(-9, 24))
})

test('§2 adhoc: access that is ended now has ended, and never ends before it began', () => {
  const { from, until } = endedNow(box(-1, 5), now)
  expect([from, adhocStateOf({ from, until }, now)]).toEqual([box(-1, 5).from, 'ended'])
  const justBegun = endedNow(box(0, 5), now)
  expect(Date.parse(justBegun.until)).toBeGreaterThan(Date.parse(justBegun.from))
})

test('§2 adhoc: access is given for an hour, until the end of the day, or until a moment, from now or from later on', () => {
  expect(boxOf({ span: 'hour', from: null, until: null }, now)).toEqual(box(0, 1))
  const later = new Date(now.getTime() + 20_000)
  const afterwards = new Date(at(1).getTime() + 60_000).toISOString()
  expect(boxOf({ span: 'hour', from: null, until: null }, later)).toEqual({ ...box(0, 1), until: afterwards })
  expect(boxOf({ span: 'hour', from: at(2).toISOString(), until: null }, now)).toEqual(box(2, 3))
  expect(boxOf({ span: 'tonight', from: null, until: null }, now)?.until).toBe(
    new Date(2026, 10, 20, 23, 59, 59).toISOString(),
  )
  expect(boxOf({ span: 'date', from: null, until: at(40).toISOString() }, now)).toEqual(box(0, 40))
  expect(boxOf({ span: 'date', from: null, until: null }, now)).toBeNull()
})

test('§2 adhoc: text that is no date stays in the time box, where the schema refuses it', () => {
  const typed = '31/11/2026'
  for (const chosen of [
    { span: 'date', from: null, until: typed },
    { span: 'hour', from: typed, until: null },
  ] as const) {
    const adhoc = boxOf(chosen, now)
    expect(Object.values(adhoc ?? {})).toContain(typed)
    expect(rules.createSchema.safeParse({ adhoc }).error?.issues.map(({ path }) => path.join('.'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^adhoc/)]),
    )
  }
})
