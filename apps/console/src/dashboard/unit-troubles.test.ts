import { expect, test } from 'vitest'
import { troubledUnits, unitTrouble } from './unit-troubles.ts'

const well = {
  name: 'Gatehouse controller',
  inService: true,
  status: 'online',
  desiredVersion: 4,
  appliedVersion: 4,
  rejection: null,
  fault: null,
  lastHeartbeatAt: '2026-11-20T03:00:00Z',
  tamperedSince: null,
  capacityExceededSince: null,
  clockWrongSince: null,
  onBatterySince: null,
} as const

test.each([
  [{}, undefined],
  [{ appliedVersion: 3 }, 'out_of_step'],
  [{ appliedVersion: null }, 'out_of_step'],
  [{ appliedVersion: 3, rejection: 'no room' }, 'rejected'],
  [{ rejection: 'no room' }, undefined],
  [{ fault: 'not_compiled' }, 'failed'],
  [{ fault: 'not_compiled', status: 'offline' }, 'offline'],
  [{ fault: 'behind_policy' }, 'out_of_step'],
  [{ desiredVersion: null, appliedVersion: null }, undefined],
  [{ status: 'offline', appliedVersion: 3 }, 'offline'],
  [{ status: 'never_seen' }, 'never_seen'],
  [{ tamperedSince: '2026-11-20T02:00:00Z', status: 'offline' }, 'tampered'],
  [{ capacityExceededSince: '2026-11-20T02:00:00Z', appliedVersion: 3 }, 'too_much'],
  [{ clockWrongSince: '2026-11-20T02:00:00Z', appliedVersion: 3 }, 'clock_wrong'],
  [{ clockWrongSince: '2026-11-20T02:00:00Z', fault: 'not_compiled' }, 'failed'],
  [{ onBatterySince: '2026-11-20T02:00:00Z' }, 'on_battery'],
  [{ onBatterySince: '2026-11-20T02:00:00Z', status: 'offline' }, 'offline'],
  [{ inService: false, status: 'offline' }, undefined],
] as const)('the trouble of a controller of %j is %s', (changes, trouble) => {
  expect(unitTrouble({ ...well, ...changes })).toBe(trouble)
})

test('offline controllers are listed first, the latest at the top', () => {
  const all = [
    { ...well, name: 'Yard', appliedVersion: 3 },
    { ...well, name: 'Archive', status: 'never_seen', lastHeartbeatAt: null },
    { ...well, name: 'Freezer wing', status: 'offline', lastHeartbeatAt: '2026-11-19T20:00:00Z' },
    { ...well, name: 'London', status: 'offline', lastHeartbeatAt: '2026-11-20T02:00:00Z' },
    well,
  ] as const
  expect(troubledUnits(all).map(({ unit }) => unit.name)).toEqual(['London', 'Freezer wing', 'Yard', 'Archive'])
})
