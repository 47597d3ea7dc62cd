import type { WhyThen } from '@portcullis/contract/calls/why-then'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'
import { sampleEvent } from './sample-event.ts'

const notEvaluated = {
  at: sampleEvent().occurredAt,
  obstacle: 'no_credential',
  historyFrom: null,
  decision: null,
  serverDecision: null,
  now: null,
  changes: [],
  moreChanges: 0,
} satisfies WhyThen

test('a denial for lack of room leads to the controller', async () => {
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1' })
  const data = { names: { unit: 'Gatehouse' }, number: '1', note: { code: 'left_out' as const } }
  const event = { ...sampleEvent({ reason: 'credential_unknown', unit: unit._id }), data }
  const { user } = await openConsole(`events/list?event=${event._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [unit]),
      ({ path }) => (path === `/api/events/${event._id}/whyThen` ? notEvaluated : undefined),
      holding(doors, []),
      holding(events, [event]),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Open the controller' }))
  expect(await screen.findByRole('heading', { name: 'Gatehouse', level: 1 })).toBeTruthy()
})

test('a denial because of an interlock shows its other doors as they are now', async () => {
  const gate = itemOf(units, { name: 'Gate', serial: 'PC-2' })._id
  const place = { site: gate, unit: gate, fault: null }
  const members = [
    { ...place, _id: gate, name: 'Gate', state: 'secure' },
    { ...place, _id: itemOf(units, { name: 'Hatch', serial: 'PC-3' })._id, name: 'Hatch', state: 'open' },
  ]
  const answer = { lock: 'locked', interlocks: [{ _id: gate, name: 'Airlock', isShared: true, doors: members }] }
  const event = { ...sampleEvent({ reason: 'interlock', door: gate }), data: { names: { door: 'Gate' }, number: '1' } }
  await openConsole(`events/list?event=${event._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) => (path === `/api/doors/${gate}/interlocks` ? answer : undefined),
      ({ path }) => (path === `/api/events/${event._id}/whyThen` ? notEvaluated : undefined),
      holding(doors, [itemOf(doors, { name: 'Gate', _id: gate, site: gate })]),
      holding(events, [event]),
    ],
  })
  const list = await screen.findByRole('list', { name: 'Other doors of the interlock now' })
  expect(list.textContent).toBe('HatchOpen or unlocked')
  const checks = screen.getByRole('list', { name: 'Check by check' })
  expect(list.compareDocumentPosition(checks)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('a door that is in a lockdown now is not offered for unlocking', async () => {
  const lockdown = itemOf(units, { name: 'Lockdown', serial: 'PC-4' })._id
  const gate = itemOf(doors, { name: 'Gate', site: lockdown, lockdowns: [{ _id: lockdown, name: 'Everything' }] })
  const event = {
    ...sampleEvent({ reason: 'denied_by_rule', door: gate._id }),
    data: { names: { door: 'Gate' }, number: '1' },
  }
  await openConsole(`events/list?event=${event._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) => (path === `/api/events/${event._id}/whyThen` ? notEvaluated : undefined),
      holding(doors, [gate]),
      holding(events, [event]),
    ],
  })
  await screen.findByText(/^Locked down by Everything, a lockdown of an account above\./)
  expect(screen.getByRole('button', { name: 'Unlock once' }).matches(':disabled')).toBe(true)
})

test('an unknown card shows what it may be, and is assigned to a user with its printed number', async () => {
  const nomsa = itemOf(users, { name: 'Nomsa Dlamini' })
  const event = { ...sampleEvent({ reason: 'credential_unknown' }), data: { names: {}, number: '2EC0C86' } }
  const { user, sent } = await openConsole(`events/list?event=${event._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) => (path === `/api/events/${event._id}/whyThen` ? notEvaluated : undefined),
      ({ method, path, body }) =>
        method === 'POST' && path === '/api/credentials'
          ? itemOf(credentials, { name: '', ...z.object({}).loose().parse(body) })
          : undefined,
      holding(users, [nomsa]),
      holding(events, [event]),
    ],
  })
  const section = within(await screen.findByRole('region', { name: 'This card may be' }))
  expect(section.getByRole('listitem').textContent?.replaceAll(/[\u2068\u2069]/g, '')).toBe(
    '118 / 1603 Wiegand 26 bits',
  )
  await user.click(section.getByRole('button', { name: 'Assign to a user' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Assign card/ }))
  await user.click(dialog.getByLabelText(/^User/))
  await user.click(await screen.findByRole('option', { name: 'Nomsa Dlamini' }))
  await user.click(dialog.getByLabelText(/^Printed on the card/))
  await user.click(await screen.findByRole('option', { name: /1603/ }))
  await user.click(dialog.getByRole('button', { name: 'Assign' }))
  expect(sent('POST', '/api/credentials').map(({ body }) => body)).toEqual([
    { kind: 'card', number: '2EC0C86', user: nomsa._id, format: 'wiegand26', facility: 118, printed: '1603' },
  ])
})
