import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, hyperUser, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const gatehouse = itemOf(units, { name: 'Gatehouse', serial: 'PC-1' })

function entryWith(fields: Record<string, unknown>) {
  return auditLogs.entitySchema.parse({
    _id: '0198c0de-0000-7000-8000-000000000011',
    account: hyperUser.account?._id,
    action: 'patch',
    before: {},
    actor: null,
    actorName: 'Administrator',
    assumedAccount: null,
    assumption: null,
    reason: null,
    at: '2026-01-05T22:15:00.000Z',
    requestId: null,
    policyVersion: null,
    undoes: null,
    position: 1,
    ...fields,
  })
}

test('the end of a hold at a door without room names the server and the reason', async () => {
  const gate = itemOf(doors, { name: 'Main gate', site: gatehouse._id })
  const entry = entryWith({
    collection: 'doors',
    item: gate._id,
    after: { mode: 'normal' },
    actorName: null,
    reason: 'door_left_out',
  })
  await openConsole('auditLogs/list', { answers: [holding(auditLogs, [entry]), holding(doors, [gate])] })
  expect(await screen.findByText(/The controller has no room for this door/u)).toBeDefined()
  expect(screen.getByText('Server')).toBeDefined()
})

test.each([
  ['a name', { name: 'Gatehouse', version: 2 }, true],
  ['an enrolment code', { enrolmentCodeUntil: '2026-01-06T22:15:00.000Z' }, false],
  ['a revoked enrolment', { enrolledAt: null, version: 2 }, false],
] as const)('undo of %s is offered only if it can restore something', async (_name, after, isOffered) => {
  const entry = entryWith({ collection: 'units', item: gatehouse._id, after })
  await openConsole(`auditLogs/list?entry=${entry._id}`, {
    answers: [holding(auditLogs, [entry]), holding(units, [gatehouse])],
  })
  await screen.findAllByRole('article')
  expect(screen.queryByRole('button', { name: 'Undo this change' }) !== null).toBe(isOffered)
})
