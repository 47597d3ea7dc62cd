import { rules } from '@portcullis/contract/collections/rules'
import { expect, test } from 'vitest'
import { matchesQuery } from '../list/filters/matches-query.ts'
import { viewerZone } from '../time/time-text.ts'
import { adhocStateOf, adhocStates, stateFilter, boxOf, endedNow, extended, type Span } from './adhoc-state.ts'

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

const chosen = { span: 'hour', from: null, until: null, zone: viewerZone } as const

test('§2 adhoc: access is given for some hours, a week, or until a moment, from now or from later on', () => {
  expect(boxOf(chosen, now)).toEqual(box(0, 1))
  const later = new Date(now.getTime() + 20_000)
  const afterwards = new Date(at(1).getTime() + 60_000).toISOString()
  expect(boxOf(chosen, later)).toEqual({ ...box(0, 1), until: afterwards })
  expect(boxOf({ ...chosen, from: at(2).toISOString() }, now)).toEqual(box(2, 3))
  expect(boxOf({ ...chosen, span: 'fourHours' }, now)).toEqual(box(0, 4))
  expect(boxOf({ ...chosen, span: 'week', from: at(2).toISOString() }, now)).toEqual(box(2, 7 * 24 + 2))
  expect(boxOf({ ...chosen, span: 'date', until: at(40).toISOString() }, now)).toEqual(box(0, 40))
  expect(boxOf({ ...chosen, span: 'date' }, now)).toBeNull()
})

test.each([
  // Thursday 18:30 in Johannesburg, still Thursday morning in New York.
  ['2026-11-19T16:30:00.000Z', 'Africa/Johannesburg', null, '2026-11-19T21:59:59.000Z', '2026-11-20T16:00:00.000Z'],
  [
    '2026-11-19T16:30:00.000Z',
    'America/New_York',
    '2026-11-19T23:00:00.000Z',
    '2026-11-20T04:59:59.000Z',
    '2026-11-20T23:00:00.000Z',
  ],
  // Friday before and at 18:00.
  [
    '2026-11-20T15:59:00.000Z',
    'Africa/Johannesburg',
    '2026-11-20T16:00:00.000Z',
    '2026-11-20T21:59:59.000Z',
    '2026-11-20T16:00:00.000Z',
  ],
  ['2026-11-20T16:00:00.000Z', 'Africa/Johannesburg', null, '2026-11-20T21:59:59.000Z', '2026-11-27T16:00:00.000Z'],
  // The clocks go back on Sunday 25 October in London, between now and Friday.
  [
    '2026-10-24T16:00:00.000Z',
    'Europe/London',
    '2026-10-24T17:00:00.000Z',
    '2026-10-24T22:59:59.000Z',
    '2026-10-30T18:00:00.000Z',
  ],
])('§2 adhoc: at %s in %s, the presets end at the hours of the site', (moment, zone, evening, midnight, friday) => {
  const endOf = (span: Span) => boxOf({ ...chosen, span, zone }, new Date(moment))?.until ?? null
  expect([endOf('evening'), endOf('midnight'), endOf('friday')]).toEqual([evening, midnight, friday])
})

test('§2 adhoc: text that is no date stays in the time box, where the schema refuses it', () => {
  const typed = '31/11/2026'
  for (const each of [
    { ...chosen, span: 'date', until: typed },
    { ...chosen, from: typed },
  ] as const) {
    const adhoc = boxOf(each, now)
    expect(Object.values(adhoc ?? {})).toContain(typed)
    expect(rules.createSchema.safeParse({ adhoc }).error?.issues.map(({ path }) => path.join('.'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^adhoc/)]),
    )
  }
})
