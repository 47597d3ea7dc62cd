import type { Me } from '@portcullis/contract/calls/authentication'
import type { UserLeftOut } from '@portcullis/contract/calls/left-out'
import { credentials } from '@portcullis/contract/collections/credentials'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, hyperUser, itemOf, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const nomsa = itemOf(users, { name: 'Nomsa Dlamini', role: 'appUser' })
const card = itemOf(credentials, { name: '', kind: 'card', number: '4711', user: nomsa._id })
const unit = '0198c0de-0000-7000-8000-00000000e001'

test('a user shows where their cards have no room, with the controller', async () => {
  await openUser(hyperUser)
  const place = await screen.findByText('No room at', { exact: false })
  expect(place.textContent).toBe('No room at Gatehouse (3 doors)')
  expect(within(place).getByRole('link').getAttribute('href')).toBe(`/main/units/${unit}`)
})

test('users who may not see controllers do not learn where there is no room', async () => {
  const asked = await openUser(userWith([{ action: 'view', subject: 'Users' }]))
  await screen.findByText('4711')
  expect(asked).toEqual([])
})

/** Opens the user's drawer; returns the requests for what has no room. */
async function openUser(as: Me) {
  const asked: string[] = []
  const full: UserLeftOut = { units: [{ _id: unit, name: 'Gatehouse', doors: 3 }] }
  await openConsole(`users/list?open=${nomsa._id}`, {
    as,
    answers: [
      ({ path }) => (path === `/api/users/${nomsa._id}/leftOut` ? (asked.push(path), full) : undefined),
      holding(users, [nomsa]),
      holding(credentials, [card]),
      holding(userGroups, []),
    ],
  })
  return asked
}
