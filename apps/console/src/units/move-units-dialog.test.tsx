import type { MovedItems } from '@portcullis/contract/moved-items'
import { accounts } from '@portcullis/contract/collections/accounts'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const named = (name: string) => {
  const { _id } = itemOf(units, { name, serial: 'PC-0' })
  return { _id, name }
}
const [dock, guards, ann] = [named('Dry dock'), named('Guards'), named('Ann')]
const none = { count: 0, people: [] }
const moved: MovedItems = {
  moved: false,
  units: 1,
  doors: 7,
  sites: 1,
  copiedSites: 0,
  interlocks: 1,
  floorPlans: 2,
  leftGroups: 2,
  leftRules: 3,
  leftPlans: 1,
  leftFirstPersons: 0,
  leftUnlockSchedules: 1,
  names: {
    doors: [1, 2, 3, 4, 5].map((bay) => ({ ...named(`Bay ${bay}`), site: dock._id })),
    sites: [dock],
    copiedSites: [],
    leftGroups: ['Bays', 'Gates'].map((name) => ({ ...named(name), collection: 'doorGroups' })),
    leftRules: [guards],
    leftPlans: [named('Intruder')],
    leftUnlockSchedules: [named('Shop hours')],
  },
  gains: none,
  loses: none,
  changes: none,
  losesDoors: { count: 2, people: [ann] },
  gainsDoors: none,
}

test('before controllers move, the dialog names what moves along and what loses doors', async () => {
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1' })
  await openConsole(`units/${unit._id}`, {
    answers: [
      ({ path }) => (path === '/api/units/moveUnits' ? moved : undefined),
      holding(units, [unit]),
      holding(doors, []),
      holding(events, []),
      holding(accounts, [itemOf(accounts, { name: 'Bakery', ref: 'bakery', status: 'active' })]),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Move…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Move this controller to another account?' })
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'New account' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Bakery' }))
  await within(dialog).findByText('7 doors move along', { exact: false })
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '7 doors move alongBay 1, Bay 2, Bay 3, Bay 4, Bay 5 and 2 more',
    '1 site moves alongDry dock',
    '1 interlock moves along',
    '2 floor plans move along',
    '2 groups lose these doors or sitesBays, Gates',
    '3 access rules no longer apply at these doorsGuards and 2 more',
    '1 lockdown plan no longer locks these doorsIntruder',
    '1 door no longer has an unlock scheduleShop hours',
    'Ann',
    'and 1 more',
  ])
  expect(
    within(dialog)
      .getAllByRole<HTMLAnchorElement>('link')
      .map(({ target }) => target),
  ).not.toContain('')
  expect(within(dialog).getAllByText('Names open in a new tab.')).toHaveLength(1)
  const linkOf = (name: string) => within(dialog).getByRole('link', { name }).getAttribute('href')
  expect(linkOf('Bay 1')).toBe(`/main/sites/${dock._id}?open=${moved.names.doors[0]?._id}`)
  expect(linkOf('Dry dock')).toBe(`/main/sites/${dock._id}`)
  expect(linkOf('Guards')).toBe(`/main/rules/list?open=${guards._id}`)
  expect(linkOf('Intruder')).toBe(`/main/rules/lockdownPlans?open=${moved.names.leftPlans[0]?._id}`)
  expect(linkOf('Ann')).toBe(`/main/users/list?open=${ann._id}`)
  const confirm = within(dialog).getByRole('button', { name: 'Move controller' })
  expect(confirm.style.getPropertyValue('--button-bg')).toContain('no')
})
