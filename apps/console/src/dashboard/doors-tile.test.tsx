import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const viewer = userWith([
  { action: 'view', subject: 'Dashboards' },
  { action: 'view', subject: doors.subject },
])
const site = itemOf(sites, { name: 'Arcade', timeZone: 'UTC' })
const hours = itemOf(schedules, { name: 'Shop hours' })
const shop = itemOf(doors, { name: 'Shop', site: site._id, state: 'closed', unlockSchedule: hours._id })

test('a door that its schedule unlocks is counted and listed as unlocked', async () => {
  const { user } = await openConsole('dashboard', {
    as: viewer,
    answers: [
      ({ path }) =>
        path === '/api/doors/aggregate'
          ? { rows: [{ state: 'closed', mode: 'normal', enabled: true, count: 3 }] }
          : undefined,
      ({ path }) =>
        path === '/api/doors/unlockHours'
          ? { doors: [{ _id: shop._id, isUnlocked: true, isConfirmed: true, until: null }] }
          : undefined,
      holding(sites, [site]),
      holding(doors, [shop]),
    ],
  })
  const figures = within(await screen.findByRole('list', { name: 'Doors now' }))
  await user.click(figures.getByRole('link', { name: /^1\s*Unlocked/ }))
  expect(figures.getByRole('link', { name: /Closed/ }).textContent).toMatch(/^2/)
  const rows = within(await screen.findByRole('list', { name: 'Doors: Unlocked' }))
  expect((await rows.findByText('Unlocked')).closest('li')?.textContent).toContain('Shop')
})
