import { policyIndex } from '@portcullis/domain/decision/index-policy'
import type { LeftOutOfUnit } from '@portcullis/domain/decision/left-out'
import { type ReasonCode, reasonCodes } from '@portcullis/domain/decision/reasons'
import type { Policy } from '@portcullis/domain/policy'
import { credential, door, rule, samplePolicy, schedule, user } from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'
import { frameOf } from './open-frame.ts'
import { resolveRecord } from './resolve-record.ts'

const monday = '2026-05-04T10:00:00.000Z'
const sunday = '2026-05-03T10:00:00.000Z'
const configs = { policyVersionOf: () => 1, isLatest: () => true, wasCurrent: () => false }
const everythingFits: LeftOutOfUnit = { doors: [], schedules: [], oldestCredential: null }
const scheduled = { rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()] }

type Denial = { reason: ReasonCode; at?: string; policy?: Partial<Policy> }

/** The event of a denial of Nomsa's card by a unit without room for these items. */
function resolved(leftOut: Partial<LeftOutOfUnit>, { reason, at = monday, policy = scheduled }: Denial) {
  const place = { account: 1, name: 'Unit 1', site: null, siteName: null, policyVersion: 1 }
  const index = policyIndex(samplePolicy(policy))
  const frame = frameOf(place, { unit: 'unit', index, receivedAt: Date.parse(at), clockOffsetMs: 0, logId: 'log' })
  const { number } = credential()
  const denial = { type: 'access', at, configVersion: 1, door: 1, direction: 'entry', kind: 'card', number } as const
  const record = { ...denial, verdict: 'deny', reason } as const
  const unit = { leftOut: { ...everythingFits, ...leftOut }, explain: () => undefined }
  const { reasons, ...event } = resolveRecord({ ...unit, frame, configs, record, occurredAt: at })
  const noRoom = reasons.filter(({ outcome, facts }) => outcome === 'refused' && facts.leftOut).map(({ step }) => step)
  return { user: event.user, reason: event.reason, mismatch: event.mismatch, noRoom }
}

const forRoom = { user: 'nomsa', mismatch: 'left_out' }

test.each([
  ['door', { doors: ['door'] }, 'door_unknown'],
  ['credential', { oldestCredential: 'card' }, 'credential_unknown'],
  ['allow_rule', { schedules: ['day-shift'] }, 'outside_schedule'],
] as const)('without room for what the step %s checks, its finding says so', (step, leftOut, reason) => {
  const explained = { ...forRoom, reason, noRoom: [step] }
  expect(resolved(leftOut, { reason })).toEqual(explained)
  // The rule is closed on a Sunday, so the policy denies as well.
  expect(resolved(leftOut, { reason, at: sunday })).toEqual(explained)
})

test('a door without room that is blocked denies for lack of room', () => {
  const policy = { doors: [door({ mode: 'blocked' })] }
  expect(resolved({ doors: ['door'] }, { reason: 'door_unknown', policy })).toMatchObject({ noRoom: ['door'] })
})

test.each([
  ['no_access', { rules: [] }],
  ['holder_inactive', { users: [user({ status: 'suspended' })] }],
  ['credential_suspended', { credentials: [credential({ status: 'suspended' })] }],
] as const)('a card that no unit gets is denied for its own reason: %s', (reason, policy) => {
  const answer = resolved({ oldestCredential: 'card' }, { reason: 'credential_unknown', policy })
  expect(answer).toEqual({ user: 'nomsa', reason, mismatch: null, noRoom: [] })
})

test('a deny rule without room for its schedule denies for lack of room', () => {
  const deny = rule({ _id: 'deny', effect: 'deny', schedule: 'day-shift' })
  const policy = { rules: [rule(), deny], schedules: [schedule()] }
  const leftOut = { schedules: ['day-shift'] }
  const explained = { ...forRoom, reason: 'denied_by_rule', noRoom: ['deny_rule'] }
  expect(resolved(leftOut, { reason: 'denied_by_rule', at: sunday, policy })).toEqual(explained)
})

test('a rule without room beside one that is closed also explains the denial', () => {
  const nights = schedule({ _id: 'nights', windows: [{ days: [1], start: '20:00', end: '22:00' }] })
  const closed = rule({ _id: 'closed', schedule: 'nights' })
  const policy = { rules: [...scheduled.rules, closed], schedules: [schedule(), nights] }
  const leftOut = { schedules: ['day-shift'] }
  expect(resolved(leftOut, { reason: 'outside_schedule', policy })).toMatchObject({ ...forRoom, noRoom: [] })
  expect(resolved(leftOut, { reason: 'outside_schedule', policy, at: sunday })).toMatchObject({ mismatch: null })
})

test('an item without room explains only the denials that its lack can cause', () => {
  const explainedBy = (leftOut: Partial<LeftOutOfUnit>) =>
    reasonCodes.filter((reason) => resolved(leftOut, { reason }).mismatch === 'left_out')
  expect(explainedBy({})).toEqual([])
  expect(explainedBy({ doors: ['another'], schedules: ['another'], oldestCredential: 'later' })).toEqual([])
  expect(explainedBy({ doors: ['door'] })).toEqual(['door_unknown'])
  expect(explainedBy({ oldestCredential: 'card' })).toEqual(['credential_unknown'])
  expect(explainedBy({ schedules: ['day-shift'] })).toEqual(['outside_schedule'])
})
