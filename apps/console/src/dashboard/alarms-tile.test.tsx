import { events } from '@portcullis/contract/collections/events'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const viewer = userWith([
  { action: 'view', subject: 'Dashboards' },
  { action: 'view', subject: 'Access Events' },
])
const now = new Date().toISOString()
const tamper = events.entitySchema.parse({
  _id: '0198c0de-0000-7000-8000-00000000ee01',
  account: '0198c0de-0000-7000-8000-0000000000aa',
  type: 'unit.tamper',
  category: 'unit',
  severity: 'alarm',
  site: null,
  door: null,
  unit: '0198c0de-0000-7000-8000-00000000ee02',
  user: null,
  credential: null,
  direction: null,
  outcome: null,
  reason: null,
  reasons: [],
  occurredAt: now,
  receivedAt: now,
  backfilled: false,
  policyVersion: null,
  data: { names: { unit: 'Gatehouse controller' } },
})

test('a denial for lack of room is not called that of an unknown credential', async () => {
  const door = { category: 'access', door: tamper.unit, outcome: 'denied', direction: 'entry' } as const
  const names = { user: 'Kabelo Phiri', door: 'Car park' }
  const denied = { ...tamper, ...door, type: 'access.denied', severity: 'info', reason: 'credential_unknown' } as const
  await openConsole('dashboard', {
    as: viewer,
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(events, [{ ...denied, data: { names, note: { code: 'left_out' } } }]),
    ],
  })
  const alarms = await screen.findByRole('region', { name: /^Alarms/ })
  const name = await within(alarms).findByText('Kabelo Phiri')
  expect(name.closest('tr, li')?.textContent).toContain('No room on the controller · Car park')
})

test('tampering with a controller is among the alarms', async () => {
  await openConsole('dashboard', {
    as: viewer,
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      (request) => {
        const isFiltered = request.query.get('filter')?.includes('"unit.tamper"') === true
        return holding(events, isFiltered ? [tamper] : [])(request)
      },
    ],
  })
  const alarms = await screen.findByRole('region', { name: /^Alarms/ })
  const name = await within(alarms).findByText('Gatehouse controller')
  expect(name.closest('tr, li')?.textContent).toContain('Tampered')
})
