import type { LeftOut } from '@portcullis/contract/calls/left-out'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const dock = itemOf(sites, { name: 'Dry dock', timeZone: 'UTC' })
const reported = { lastHeartbeatAt: '2026-01-05T09:00:00.000Z', clockOffsetMs: 0, pendingEvents: 1 }

test('an offline controller shows its doors, and its last report apart from its state', async () => {
  const about = await openUnit('offline')
  const heading = within(about).getByRole('heading', { name: /^Last reported 5 Jan/ })
  expect(heading.nextElementSibling?.textContent).toMatch(/Clock.*correct.*1 event waiting on the controller/)
  const gate = await within(about).findByRole('link', { name: 'Gate' })
  expect(gate.getAttribute('href')).toContain(`/main/sites/${dock._id}?open=`)
})

test('an online controller shows its reports with its state', async () => {
  const about = await openUnit('online')
  expect(about.textContent).toContain('correct')
  expect(within(about).queryByRole('heading')).toBeNull()
})

test('a controller shows its conditions, each with the time when it began', async () => {
  const about = await openUnit('online', {
    onBatterySince: '2026-01-05T08:00:00.000Z',
    tamperedSince: '2026-01-04T07:30:00.000Z',
  })
  const [tampered, onBattery, ...others] = within(about).getAllByRole('listitem').filter(isCondition)
  expect(tampered?.textContent).toMatch(/^Tamperedsince 4 Jan.*07:30/)
  expect(onBattery?.textContent).toMatch(/^On batterysince 5 Jan.*08:00/)
  expect(others).toEqual([])
})

test('what an offline controller reported is shown as last known, and what the server knows is not', async () => {
  const since = '2026-01-05T08:00:00.000Z'
  const conditions = { tamperedSince: since, onBatterySince: since, outOfSyncSince: since }
  const about = await openUnit('offline', conditions)
  const items = within(about).getAllByRole('listitem').filter(isCondition)
  expect(items.map(({ textContent }) => textContent.replace(/since.*/, ''))).toEqual([
    'Last known: tampered',
    'Last known: on battery',
    'Out of sync',
  ])
  const row = screen.getByText('Gatehouse', { selector: 'td *, td' }).closest('tr')
  expect(row?.textContent).toContain('OfflineLast known:TamperedOn battery')
})

test('an enabled door for which the controller has no room is marked', async () => {
  const about = await openUnit('online', { capacityExceededSince: '2026-01-05T08:00:00.000Z' })
  const marks = await within(about).findAllByText('Not on controller')
  expect(marks.map((mark) => mark.closest('li')?.textContent)).toEqual([expect.stringMatching(/^Gate/)])
  const disabled = within(about).getByRole('link', { name: 'Hatch' })
  expect(disabled.getAttribute('href')).toMatch(`/main/sites/${dock._id}?open=`)
})

function isCondition(item: HTMLElement) {
  return item.textContent.includes('since')
}

async function openUnit(status: 'online' | 'offline', conditions: Partial<EntityOf<typeof units>> = {}) {
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: dock._id, status, ...reported, ...conditions })
  const gate = itemOf(doors, { name: 'Gate', site: dock._id, unit: unit._id, unitDoor: 1 })
  const hatch = itemOf(doors, { name: 'Hatch', site: dock._id, unit: unit._id, unitDoor: 2, enabled: false })
  await openConsole(`units/list?open=${unit._id}`, {
    answers: [
      ({ path }) => (path === `/api/units/${unit._id}/leftOut` ? leftOutOf([gate, hatch]) : undefined),
      holding(units, [unit]),
      holding(sites, [dock]),
      holding(doors, [gate, hatch]),
    ],
  })
  return screen.findByRole('region', { name: 'About this controller' })
}

function leftOutOf(all: readonly EntityOf<typeof doors>[]): LeftOut {
  const none = { isApplied: true, credentials: 0, cardholders: { total: 0, items: [] }, incomplete: [], schedules: [] }
  return { ...none, doors: all.map(({ _id, name }) => ({ _id, name })) }
}
