import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, pageOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const site = '01890000-0000-7000-8000-000000000001'
const door = itemOf(doors, { name: 'Gate', site })
const group = itemOf(doorGroups, { name: 'Gates', members: [door._id] })
const rule = itemOf(rules, { name: 'Night shift', effect: 'allow', who: [], where: [] })

test('§7 the drawer of a group names its rules and controllers, and links to the events of its doors', async () => {
  await openConsole(`sites/doorGroups?open=${group._id}`, {
    answers: [
      ({ path }) => (path.startsWith(`/api/rules/group/${group._id}`) ? pageOf([rule]) : undefined),
      ({ path }) => (path.startsWith(`/api/units/group/${group._id}`) ? pageOf([]) : undefined),
      holding(doorGroups, [group]),
      holding(doors, [door]),
      holding(units, []),
      holding(userGroups, []),
    ],
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'Gates' }))
  expect((await drawer.findByRole('link', { name: 'Night shift' })).getAttribute('href')).toMatch(
    new RegExp(`/rules/list\\?open=${rule._id}$`),
  )
  expect(await drawer.findByText('No controllers')).toBeTruthy()
  expect(drawer.getByRole('link', { name: 'Events of this group today' }).getAttribute('href')).toMatch(
    new RegExp(`/events/list\\?door=${door._id}$`),
  )
})
