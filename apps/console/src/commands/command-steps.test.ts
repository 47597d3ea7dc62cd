import type { DoorCommand } from '@portcullis/contract/calls/units'
import { expect, test } from 'vitest'
import { commandSteps, isSettled } from './command-steps.ts'

const command: DoorCommand = {
  _id: '0190f5a0-0000-7000-8000-000000000001',
  door: '0190f5a0-0000-7000-8000-000000000002',
  action: 'unlockOnce',
  status: 'requested',
  detail: null,
  requestedAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-20T10:00:10.000Z',
  sentAt: null,
  endedAt: null,
}

function steps(changes: Partial<DoorCommand>) {
  return commandSteps({ ...command, ...changes }).map(({ step, at }) => `${step} ${at ? at.slice(17, 19) : 'waits'}`)
}

test('a command that was just given waits to be sent and confirmed', () => {
  expect(steps({})).toEqual(['requested 00', 'sent waits', 'confirmed waits'])
  expect(isSettled(command)).toBe(false)
})

test('a sent command is not done: the door is open once the controller reports it', () => {
  expect(steps({ status: 'sent', sentAt: '2026-11-20T10:00:01.000Z' })).toEqual([
    'requested 00',
    'sent 01',
    'confirmed waits',
  ])
})

test('a confirmed command has all three times', () => {
  const changes = {
    status: 'confirmed',
    sentAt: '2026-11-20T10:00:01.000Z',
    endedAt: '2026-11-20T10:00:02.000Z',
  } as const
  expect(steps(changes)).toEqual(['requested 00', 'sent 01', 'confirmed 02'])
  expect(isSettled({ ...command, ...changes })).toBe(true)
})

test('a command that the controller refused shows this in its last step', () => {
  expect(steps({ status: 'refused', sentAt: '2026-11-20T10:00:01.000Z', endedAt: '2026-11-20T10:00:02.000Z' })).toEqual(
    ['requested 00', 'sent 01', 'refused 02'],
  )
})

test('a command that never reached the controller was never sent', () => {
  expect(steps({ status: 'not_delivered', endedAt: '2026-11-20T10:00:00.000Z' })).toEqual([
    'requested 00',
    'not_delivered 00',
  ])
})
