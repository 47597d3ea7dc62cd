import type { Me } from '@portcullis/contract/calls/authentication'
import type { UserAccount } from '@portcullis/contract/calls/memberships'
import { credentials } from '@portcullis/contract/collections/credentials'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, hyperUser, itemOf, refusal, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const nomsa = itemOf(users, { name: 'Nomsa Dlamini', role: 'appUser' })
const path = `/api/users/${nomsa._id}`
const account = (name: string, fields: Partial<UserAccount> = {}): UserAccount => ({
  _id: `0198c0de-0000-7000-8000-00000000${name.length.toString().padStart(4, '0')}`,
  ref: name.toLowerCase(),
  name,
  role: 'appUser',
  status: 'active',
  isInvited: false,
  ...fields,
})
const [main, harbour] = [account('Main'), account('Harbour', { role: 'accessManager', isInvited: true })]

test('§3 accounts of a user: each with its role, and whether the user has accepted it', async () => {
  const { lines } = await openUser([main, harbour])
  expect((await lines()).map((line) => line.textContent)).toEqual([
    'MainApp user',
    'HarbourAccess managerThe role applies once they accept. A card that this account gives them works before that.Invited',
  ])
})

test('§3 accounts of a user: removed after a question, and a refusal is shown', async () => {
  const { user, sent, lines } = await openUser([main, harbour])
  await lines()
  await user.click(screen.getByRole('button', { name: 'Remove from Harbour' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Remove Nomsa Dlamini from Harbour?' }))
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await dialog.findByText('This is the only account of the user that you can see. Delete the user instead.')
  expect(sent('PATCH', `${path}/removeAccount`).map(({ body }) => body)).toEqual([{ account: harbour._id }])
})

test('§3 accounts of a user: the only one cannot be removed', async () => {
  const { lines } = await openUser([main])
  await lines()
  expect(screen.queryByRole('button', { name: 'Remove from Main' })).toBeNull()
})

test('§3 accounts of a user: users who may only view them change nothing', async () => {
  const { lines } = await openUser([main, harbour], userWith([{ action: 'view', subject: 'Users' }]))
  await lines()
  expect(screen.queryByRole('button', { name: 'Add to account' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Remove from Harbour' })).toBeNull()
})

async function openUser(items: UserAccount[], as: Me = hyperUser) {
  const app = await openConsole(`users/list?open=${nomsa._id}`, {
    as,
    answers: [
      (request) => (request.path === `${path}/accounts` ? { items } : undefined),
      (request) => (request.path === `${path}/removeAccount` ? refusal({ code: 'last_account' }) : undefined),
      holding(users, [nomsa]),
      holding(credentials, []),
      holding(userGroups, []),
    ],
  })
  const lines = async () =>
    within(await screen.findByRole('region', { name: 'Accounts and roles' })).findAllByRole('listitem')
  return { ...app, lines }
}
