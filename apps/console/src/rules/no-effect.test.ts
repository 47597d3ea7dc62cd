import { rule, schedule } from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'
import { noEffectOf } from './no-effect.ts'

const now = new Date('2026-11-20T10:00:00Z')
const neverOpen = schedule({ windows: [] })
const asUsual = { public: 'asUsual', company: 'asUsual', special: 'asUsual' } as const
const adhoc = { from: '2026-11-18T08:00:00Z', until: '2026-11-19T08:00:00Z' }

test.each([
  ['a rule that names people and doors at all times works', rule(), undefined, undefined],
  ['a rule without users has no effect', rule({ who: [] }), undefined, 'who'],
  ['a rule that names no door does nothing', rule({ where: [] }), undefined, 'where'],
  [
    'a rule whose only group is empty has no users',
    rule({ who: [{ kind: 'User Group', id: 'empty' }] }),
    undefined,
    'who',
  ],
  ['a schedule without hours gives nothing', rule({ schedule: 'x' }), neverOpen, 'schedule'],
  [
    'a schedule with hours on holidays only gives those',
    rule({ schedule: 'x' }),
    schedule({ windows: [], holidayHours: { ...asUsual, special: [{ start: '10:00', end: '12:00' }] } }),
    undefined,
  ],
  ['a deny without hours still holds on holidays that close it', rule({ effect: 'deny' }), neverOpen, undefined],
  [
    'a deny without hours, holidays as usual, does nothing',
    rule({ effect: 'deny' }),
    schedule({ windows: [], holidayHours: asUsual }),
    'schedule',
  ],
  ['a rule whose time is over does nothing', rule({ adhoc }), undefined, 'ended'],
] as const)('%s', (_, fields, hours, expected) => {
  expect(noEffectOf({ rule: fields, schedule: hours, isEmpty: (id) => id === 'empty', now })).toBe(expected)
})
