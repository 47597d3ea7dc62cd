import type { ActiveLockdown } from '@portcullis/contract/calls/lockdowns'
import { doors } from '@portcullis/contract/collections/doors'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, pageOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const site = itemOf(sites, { name: 'Cold store', timeZone: 'UTC' })
const unit = itemOf(units, { name: 'North', serial: 'PC-1', site: site._id })
const startedAt = '2026-01-05T06:20:00.000Z'
const ended = { endsAt: null, endedAt: null, endedBy: null, endedByName: null }
const started = { plan: site._id, startedAt, startedBy: site._id, startedByName: 'Ada Botha' }
const everything = itemOf(lockdowns, { name: 'Everything', ...started, ...ended })
const active: ActiveLockdown = { ...everything, doors: { total: 1, confirmed: 1, unreachable: 0 } }
const gate = itemOf(doors, {
  name: 'Gate',
  site: site._id,
  unit: unit._id,
  unitDoor: 1,
  state: 'closed',
  mode: 'lockdown',
  lockdowns: [{ _id: everything._id, name: 'Everything' }],
})

function openWith(path: string, own: readonly ActiveLockdown[], held = gate) {
  return openConsole(path, {
    answers: [
      ({ path: to }) => (to === '/api/lockdowns/active' ? own : undefined),
      ({ path: to }) =>
        /\/(userGroups|siteGroups|doorGroups|users|rules|schedules)$/.test(to) ? pageOf([]) : undefined,
      ({ path: to }) => (to === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [unit]),
      holding(sites, [site]),
      holding(doors, [held]),
    ],
  })
}

const isDisabled = (element: HTMLElement) => element.matches(':disabled, [data-disabled]')
const reason = 'Locked down by Everything. End the lockdown first.'

test('a door in a lockdown of a plan offers no command in the list, and its reason leads to the lockdown', async () => {
  const { user } = await openWith(`sites/${site._id}`, [active])
  const link = await screen.findByRole('link', { name: 'Everything' })
  const button = screen.getByRole('button', { name: 'Unlock once' })
  expect(isDisabled(button)).toBe(true)
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent.trim()).toBe(reason)
  expect(link.getAttribute('href')).toBe(`/main/rules/lockdowns/${everything._id}`)
  await user.click(screen.getByRole('button', { name: 'More commands for Gate' }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.getByText(reason)).toBeTruthy()
  expect(menu.getAllByRole('menuitem').map(isDisabled)).toEqual([true, true, true, true])
})

test('a door that was locked down by hand still offers its return to the schedule', async () => {
  const { user } = await openWith(`sites/${site._id}`, [], { ...gate, lockdowns: [] })
  expect(isDisabled(await screen.findByRole('button', { name: 'Unlock once' }))).toBe(false)
  await user.click(screen.getByRole('button', { name: 'More commands for Gate' }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.getAllByRole('menuitem').map(isDisabled)).toEqual([false, false, false, false])
})

test('the drawer of a door says so of a lockdown of an account above, without a link', async () => {
  await openWith(`sites/${site._id}?open=${gate._id}`, [])
  const drawer = within(await screen.findByRole('dialog', { name: 'Gate' }))
  const above = 'Locked down by Everything, a lockdown of an account above. It must end there first.'
  expect((await drawer.findAllByText(above)).length).toBe(2)
  expect(drawer.queryByRole('link', { name: 'Everything' })).toBeNull()
})
