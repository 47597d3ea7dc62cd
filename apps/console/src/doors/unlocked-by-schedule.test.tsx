import type { DoorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const site = itemOf(sites, { name: 'Arcade', timeZone: 'UTC' })
const unit = itemOf(units, { name: 'North', serial: 'PC-1', site: site._id, status: 'online' })
const opening = itemOf(schedules, { name: 'Shop hours' })
const inOneHour = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000).toISOString()
const scheduled = { site: site._id, unit: unit._id, unlockSchedule: opening._id, state: 'closed' as const }
const shop = itemOf(doors, { name: 'Shop', ...scheduled, unitDoor: 1 })
const bakery = itemOf(doors, { name: 'Bakery', ...scheduled, unitDoor: 2 })
const vault = itemOf(doors, { name: 'Vault', ...scheduled, unitDoor: 3, mode: 'blocked', modeUntil: inOneHour })

const rowOf = (name: string) => screen.getByText(name).closest('tr, [role=row]')

/** `hours`: those of the shop. */
async function openSite(hours: Partial<DoorUnlockHours> = {}) {
  const answerFor = (_id: string) => ({
    _id,
    isUnlocked: true,
    isConfirmed: true,
    until: inOneHour,
    ...(_id === shop._id ? hours : {}),
  })
  const opened = await openConsole(`sites/${site._id}`, {
    answers: [
      ({ path, query }) =>
        path === '/api/doors/unlockHours' ? { doors: (query.get('ids') ?? '').split(',').map(answerFor) } : undefined,
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [unit]),
      holding(sites, [site]),
      holding(schedules, [opening]),
      holding(doors, [shop, bakery, vault]),
    ],
  })
  await screen.findByText('Shop')
  await expect.poll(() => rowOf('Bakery')?.textContent).toContain('Unlocked')
  return opened
}

test('a door that its schedule unlocks is shown as unlocked, with the name and the end of the schedule', async () => {
  await openSite()
  const end = inOneHour.slice(11, 16)
  await expect
    .poll(() => rowOf('Shop')?.textContent)
    .toMatch(new RegExp(`Unlocked.*until .*${end}.* by schedule .?Shop hours`))
})

test('the hours of the doors on a page are one request, without doors in another mode', async () => {
  const { sent } = await openSite()
  const [first, ...others] = sent('GET', '/api/doors/unlockHours')
  expect([first?.query.get('ids')?.split(',').toSorted(), others]).toEqual([[shop._id, bakery._id].toSorted(), []])
})

test('a door whose hours have passed since they were read is not shown as unlocked', async () => {
  await openSite({ until: '2026-01-05T18:00:00.000Z' })
  expect(rowOf('Shop')?.textContent).toContain('Closed')
  expect(rowOf('Shop')?.textContent).not.toContain('Unlocked')
})

test('a door whose controller has not confirmed its configuration is shown as unlocked by its schedule only', async () => {
  await openSite({ isConfirmed: false })
  expect(rowOf('Bakery')?.textContent).not.toContain('not confirmed')
  expect(rowOf('Shop')?.textContent).toMatch(/Unlocked by its schedule.*not confirmed by the controller yet/)
})
