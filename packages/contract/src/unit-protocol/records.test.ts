import { expect, test } from 'vitest'
import { unitRecord } from './records.ts'

const opened = { type: 'door', at: '2026-01-01T00:00:00Z', door: 1, what: 'opened' }

test.each([-1, -(2 ** 31) - 1, 2 ** 31, -Number.MAX_SAFE_INTEGER])(
  'a record with a version that the server cannot store is unreadable: %d',
  (configVersion) => {
    expect(unitRecord.safeParse({ ...opened, configVersion }).success).toBe(false)
    expect(unitRecord.safeParse({ ...opened, configVersion: 1 }).success).toBe(true)
  },
)
