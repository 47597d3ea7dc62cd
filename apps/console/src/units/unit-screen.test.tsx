import type { LeftOut } from '@portcullis/contract/calls/left-out'
import type { UnitDifference } from '@portcullis/contract/calls/unit-difference'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const dock = itemOf(sites, { name: 'Dry dock', timeZone: 'UTC' })
const nomsa = { _id: '0198c0de-0000-7000-8000-0000000000c1', name: 'Nomsa Dlamini', account: dock.account }
const enrolledAt = '2026-11-01T08:00:00.000Z'
const boilerRoom = itemOf(doors, { name: 'Boiler room', site: dock._id })
const noCardholders = { total: 0, items: [] }
const outOfSync: UnitDifference = {
  comparison: 'complete',
  desiredVersion: 5,
  appliedVersion: 4,
  counts: [
    { kind: 'card', change: 'added', count: 12 },
    { kind: 'schedules', change: 'changed', count: 1 },
  ],
  missing: { total: 3, items: [nomsa] },
  outdated: noCardholders,
}

const nothingLeftOut: LeftOut = {
  isApplied: false,
  credentials: 0,
  cardholders: noCardholders,
  incomplete: [],
  doors: [],
  schedules: [],
}

type Open = { difference?: UnitDifference; full?: LeftOut } & Partial<EntityOf<typeof units>>

async function openUnit({ difference, full, ...fields }: Open) {
  const unit = itemOf(units, {
    name: 'Gatehouse',
    serial: 'PC-1',
    site: dock._id,
    status: 'offline',
    enrolledAt,
    desiredVersion: 5,
    ...fields,
  })
  const gate = itemOf(doors, { name: 'Gate', site: dock._id, unit: unit._id, unitDoor: 1, state: 'closed' })
  await openConsole(`units/${unit._id}`, {
    answers: [
      ({ path }) => (path === `/api/units/${unit._id}/difference` ? difference : undefined),
      ({ path }) => (path === `/api/units/${unit._id}/leftOut` ? full : undefined),
      holding(units, [unit]),
      holding(sites, [dock]),
      holding(doors, [gate, boilerRoom]),
      holding(events, []),
    ],
  })
  return screen.findByRole('region', { name: 'Changes not applied yet' })
}

test('the page of a controller that is out of sync shows the changes and the cardholders who miss them', async () => {
  const difference = await openUnit({ appliedVersion: 4, difference: outOfSync })
  await within(difference).findByText('12 cards added, 1 schedule changed')
  expect(within(difference).getByRole('heading', { name: '3 cardholders not yet on the controller' })).toBeTruthy()
  const link = within(difference).getByRole('link', { name: 'Nomsa Dlamini' })
  expect(link.getAttribute('href')).toBe(`/main/users/list?open=${nomsa._id}`)
  expect(difference.textContent).toContain('and 2 more')
  expect(difference.textContent).not.toContain('still on the controller')
})

test('a controller in sync has no changes to show, and none are requested', async () => {
  const difference = await openUnit({ appliedVersion: 5 })
  expect(difference.textContent).toContain('has applied the current configuration')
  expect(await screen.findByText('Last known: controller offline')).toBeTruthy()
})

test('where the applied configuration is no longer stored, the page says so', async () => {
  const difference: UnitDifference = { ...outOfSync, comparison: 'not_comparable', counts: [], missing: noCardholders }
  const region = await openUnit({ appliedVersion: 4, difference })
  expect(await within(region).findByText(/no longer stored/)).toBeTruthy()
})

test('the page of a controller that is full names the cardholders, doors and schedules that it has no room for', async () => {
  const leftOut: LeftOut = {
    isApplied: true,
    credentials: 2,
    cardholders: { total: 2, items: [nomsa] },
    incomplete: [{ _id: dock._id, name: 'Gate', cardholders: 2 }],
    doors: [{ _id: boilerRoom._id, name: 'Boiler room' }],
    schedules: [],
  }
  const full = { capacityExceededSince: '2026-11-20T08:00:00.000Z', full: leftOut }
  const difference = await openUnit({ appliedVersion: 5, ...full })
  expect(difference.textContent).toContain('has applied all that it has room for')
  const region = await screen.findByRole('region', { name: 'No room on this controller' })
  await within(region).findByRole('heading', { name: '2 cardholders with credentials that are not on the controller' })
  expect(within(region).getByRole('link', { name: 'Nomsa Dlamini' })).toBeTruthy()
  expect(region.textContent).toContain('Gate: 2 cardholders with access lack a credential here')
  expect(region.textContent).toContain('Doors that do not work: Boiler room')
  expect(region.textContent).toContain('wire doors to another controller')
  expect(region.textContent).not.toContain('use fewer schedules')
  expect(region.textContent).not.toContain('once the controller has applied')
  const door = await within(region).findByRole('link', { name: 'Boiler room' })
  expect(door.getAttribute('href')).toBe(`/main/sites/${dock._id}?open=${boilerRoom._id}`)
})

test('while a full controller is out of sync, its page says that the list applies to the next version', async () => {
  const leftOut: LeftOut = { ...nothingLeftOut, doors: [{ _id: boilerRoom._id, name: 'Boiler room' }] }
  const full = { capacityExceededSince: '2026-11-20T08:00:00.000Z', full: leftOut }
  await openUnit({ appliedVersion: 4, difference: outOfSync, ...full })
  const region = await screen.findByRole('region', { name: 'No room on this controller' })
  expect(await within(region).findByText('This applies once the controller has applied version 5.')).toBeTruthy()
})

test.each([
  [50, 'Everything fits at the moment. The warning ends within 20 minutes.'],
  [51, 'The server is checking what fits.'],
])('a controller that leaves nothing out, for %i of 50 credentials, says what follows', async (credentials, words) => {
  const capacity = { doors: 4, credentials: 50, schedules: 8, events: 1_000 }
  const configSize = { doors: 1, credentials, schedules: 1 }
  const since = '2026-11-20T08:00:00.000Z'
  await openUnit({ appliedVersion: 5, capacity, configSize, capacityExceededSince: since, full: nothingLeftOut })
  const region = await screen.findByRole('region', { name: 'No room on this controller' })
  expect(await within(region).findByText(words)).toBeTruthy()
})

test('the page of a controller says which one it is, and leads to its site', async () => {
  await openUnit({ appliedVersion: 5, model: 'PC-400', firmware: '2.1' })
  const about = screen.getByRole('region', { name: 'About this controller' })
  for (const words of ['PC-1', 'PC-400', '2.1']) expect(within(about).getByText(words)).toBeTruthy()
  const site = await within(about).findByRole('link', { name: 'Dry dock' })
  expect(site.getAttribute('href')).toBe(`/main/sites/${dock._id}`)
})

test('the page has the actions of the list, and edits the controller in place', async () => {
  await openUnit({ appliedVersion: 5 })
  const names = ['Request heartbeat', 'Enrol again', 'Replace…', 'Revoke', 'Delete', 'Move…']
  for (const name of names) expect(screen.getByRole('button', { name })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Edit controller' }))
  const drawer = await screen.findByRole('dialog', { name: 'Gatehouse' })
  expect(within(drawer).getByLabelText(/^Serial number/)).toHaveProperty('value', 'PC-1')
  expect(within(drawer).queryByRole('button', { name: 'Revoke' })).toBeNull()
})

test('the actions of a controller begin with what to do first, and end with its deletion', async () => {
  await openUnit({ appliedVersion: 5 })
  expect(actionsOfPage()).toEqual(['Edit controller', 'Replace…', 'Move…', 'Delete'])
})

test('a controller that is not enrolled offers its enrolment first', async () => {
  await openUnit({ enrolledAt: null, desiredVersion: null })
  expect(actionsOfPage()).toEqual(['Enrol', 'Edit controller', 'Move…', 'Delete'])
  expect(screen.getAllByRole('button', { name: /Enrol/ })).toHaveLength(1)
})

function actionsOfPage() {
  const head = screen.getByRole('heading', { name: 'Gatehouse' }).closest('header')
  return (
    head &&
    within(head)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  )
}
