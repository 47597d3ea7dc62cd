import { policyIndex } from '@portcullis/domain/decision/index-policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { credential, samplePolicy } from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'
import type { LeftOutCounts } from './left-out-of-unit.ts'
import { frameOf } from './open-frame.ts'
import { resolveRecord } from './resolve-record.ts'

const nothing = { credentials: 0, doors: 0, schedules: 0 }
const at = '2026-05-04T10:00:00.000Z'
const configs = { policyVersionOf: () => 1, isLatest: () => true, wasCurrent: () => false }

/** The denials of a card with access that are explained by these items, for which the unit has no room. */
function explainedBy(leftOut: LeftOutCounts) {
  const place = { account: 1, name: 'Unit 1', site: null, siteName: null, policyVersion: 1 }
  const index = policyIndex(samplePolicy())
  const frame = frameOf(place, { unit: 'unit', index, receivedAt: Date.parse(at), clockOffsetMs: 0, logId: 'log' })
  const { number } = credential()
  const denial = { type: 'access', at, configVersion: 1, door: 1, direction: 'entry', kind: 'card', number } as const
  return reasonCodes.filter((reason) => {
    const record = { ...denial, verdict: 'deny', reason } as const
    const explain = () => undefined
    return resolveRecord({ frame, configs, leftOut, explain, record, occurredAt: at }).mismatch === 'left_out'
  })
}

test('an item without room explains only the denials that its lack can cause', () => {
  expect(explainedBy(nothing)).toEqual([])
  expect(explainedBy({ ...nothing, credentials: 1 })).toEqual(['credential_unknown'])
  expect(explainedBy({ ...nothing, doors: 1 })).toEqual(['door_unknown'])
  expect(explainedBy({ ...nothing, schedules: 1 })).toEqual([
    'denied_by_rule',
    'no_access',
    'outside_schedule',
    'holiday_closed',
    'adhoc_not_started',
    'adhoc_ended',
  ])
})
