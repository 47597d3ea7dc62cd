import { expect, test } from 'vitest'
import { countDoors, type Door, doorFigure, unusualFirst } from './door-figures.ts'

const at = Date.parse('2026-11-20T03:00:00Z')
const [anotherId, thirdId] = ['0190f5a0-0000-7000-8000-000000000011', '0190f5a0-0000-7000-8000-000000000012']
const normal = { enabled: true, state: 'closed', mode: 'normal', modeUntil: null } as const

test.each([
  [{}, 'closed'],
  [{ state: 'open' }, 'open'],
  [{ state: 'forced', mode: 'lockdown' }, 'forced'],
  [{ state: 'held', mode: 'unlocked' }, 'held'],
  [{ state: 'open', mode: 'unlocked' }, 'unlocked'],
  [{ mode: 'blocked' }, 'blocked'],
  [{ mode: 'unlocked', modeUntil: '2026-11-20T02:59:00Z' }, 'closed'],
  [{ mode: 'unlocked', modeUntil: '2026-11-20T03:01:00Z' }, 'unlocked'],
  [{ enabled: false, state: 'forced' }, 'disabled'],
] as const)('a door of %j is counted as %s', (changes, figure) => {
  expect(doorFigure({ ...normal, ...changes }, { at })).toBe(figure)
})

test.each([
  [{}, {}, 'unlocked'],
  [{ state: 'held' }, {}, 'held'],
  [{ mode: 'blocked' }, {}, 'blocked'],
  [{}, { until: '2026-11-20T03:00:00.000Z' }, 'closed'],
  [{}, { isUnlocked: false }, 'closed'],
] as const)('a door of %j with unlock hours of %j is counted as %s', (changes, ofDoor, figure) => {
  const shop = door(changes)
  const hours = new Map([[shop._id, { _id: shop._id, isUnlocked: true, isConfirmed: true, until: null, ...ofDoor }]])
  expect(doorFigure(shop, { at, hours })).toBe(figure)
  const counts = countDoors({ rows: [{ ...normal, ...changes, count: 2 }], doors: [shop, shop], hours, at })
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(2)
  expect(counts.get(figure)).toBe(figure === 'unlocked' ? 1 : 2)
})

test('every door is counted once, and by its state if its mode has ended', () => {
  const rows = [
    { ...normal, count: 20 },
    { ...normal, state: 'held', count: 1 },
    { ...normal, mode: 'unlocked', count: 2 },
    { ...normal, enabled: false, count: 3 },
  ]
  const [held, open] = [door({ _id: anotherId, state: 'held' }), door({ _id: thirdId, mode: 'unlocked' })]
  const ended = door({ mode: 'unlocked', modeUntil: '2026-11-20T01:00:00Z' })
  const counts = countDoors({ rows, doors: [ended, held, open], hours: new Map(), at })
  expect(Object.fromEntries([...counts].filter(([, count]) => count > 0))).toEqual({
    closed: 21,
    held: 1,
    unlocked: 1,
    disabled: 3,
  })
})

test('the most serious state is listed first, then the latest; normal doors are not listed', () => {
  const doors = [
    door({ name: 'Roof hatch', mode: 'blocked', modeSetAt: '2026-10-24T08:12:00Z' }),
    door({ name: 'Loading Bay 3', state: 'held', stateAt: '2026-11-20T02:00:00Z' }),
    door({ name: 'Gatehouse' }),
    door({ name: 'Main entrance', state: 'held', stateAt: '2026-11-20T02:30:00Z' }),
    door({ name: 'Server room', state: 'forced', stateAt: '2026-11-19T02:00:00Z' }),
  ]
  expect(unusualFirst(doors, { at }).map((each) => each.door.name)).toEqual([
    'Server room',
    'Main entrance',
    'Loading Bay 3',
    'Roof hatch',
  ])
})

function door(changes: Partial<Door>): Door {
  return {
    _id: '0190f5a0-0000-7000-8000-000000000001',
    account: '0190f5a0-0000-7000-8000-000000000002',
    site: '0190f5a0-0000-7000-8000-000000000003',
    version: 1,
    createdAt: '2026-10-01T00:00:00Z',
    updatedAt: '2026-10-01T00:00:00Z',
    name: 'Door',
    unit: null,
    unitDoor: null,
    relockAfterSeconds: 5,
    requiresPin: false,
    acceptsPinAlone: false,
    requiresTwoPersons: false,
    firstPersonGroup: null,
    heldOpenAfterSeconds: 30,
    directions: { entry: true, exit: false },
    requiresRemoteAuth: false,
    unlockSchedule: null,
    modeVersion: 0,
    modeSetAt: null,
    lockdowns: [],
    modeAfterLockdown: null,
    stateAt: null,
    appliedModeVersion: 0,
    modeSentAt: null,
    modeAppliedAt: null,
    ...normal,
    ...changes,
  }
}
