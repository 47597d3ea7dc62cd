import type { AccessSide, ChangePreview } from '@portcullis/contract/change-preview'
import { contacts } from '@portcullis/contract/collections/contacts'
import { doors } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const none: AccessSide = { cardholders: 0, doors: 0, changes: [], moreChanges: 0 }
const account = '0198c0de-0000-7000-8000-0000000000aa'
const vault = { _id: '0198c0de-0000-7000-8000-0000000000d1', name: 'Vault' }
const ann = { _id: '0198c0de-0000-7000-8000-0000000000e1', name: 'Ann', account }

test('before a group is deleted, its users who lose access are shown on request, and nothing is deleted', async () => {
  const group = itemOf(userGroups, { name: 'Night shift' })
  const times = [{ from: '2026-01-01T00:00:00.000Z', until: null }]
  const cardholders = { total: 1, items: [ann] }
  const lost: AccessSide = {
    cardholders: 1,
    doors: 1,
    changes: [{ doors: [vault], direction: 'both', timeZone: 'UTC', cardholders, times, moreTimes: 0 }],
    moreChanges: 0,
  }
  const preview: ChangePreview = { access: { gained: none, lost }, noRoom: [], hasHiddenUnits: false, notExamined: 0 }
  const asked: string[] = []
  const { user, sent } = await openConsole(`users/groups?open=${group._id}`, {
    answers: [holding(userGroups, [group]), holding(users, [])],
    preview: ({ method, query }) => {
      asked.push(`${method} ${query.get('preview')}`)
      return preview
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Night shift?' })
  await user.click(within(dialog).getByRole('button', { name: 'Show who gains and loses access' }))
  await within(dialog).findByText('1 cardholder loses access at 1 door')
  expect(within(dialog).getByRole('status').textContent).toContain('Ann')
  expect(asked).toEqual(['DELETE room', 'DELETE true'])
  expect(sent('DELETE', `/api/userGroups/${group._id}`)).toEqual([])
})

test('the deletion of an item that gives no access does not offer its effects', async () => {
  const contact = itemOf(contacts, { name: 'Locksmith' })
  const { user } = await openConsole(`contacts?open=${contact._id}`, { answers: [holding(contacts, [contact])] })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Locksmith?' })
  expect(within(dialog).queryByRole('button', { name: 'Show who gains and loses access' })).toBeNull()
})

test('an item that is still in use is refused when the dialog opens, without the offer of its effects', async () => {
  const group = itemOf(userGroups, { name: 'Night shift' })
  const { user, sent } = await openConsole(`users/groups?open=${group._id}`, {
    answers: [holding(userGroups, [group]), holding(users, [])],
    preview: () => refusal({ code: 'used_by_others' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Night shift?' })
  await within(dialog).findByText(/Remove those references first/)
  expect(within(dialog).queryByRole('button', { name: 'Show who gains and loses access' })).toBeNull()
  expect(within(dialog).getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
  expect(sent('DELETE', `/api/userGroups/${group._id}`)).toEqual([])
})

test('the dialog of an interlock says that its doors can then be open at the same time', async () => {
  const airlock = itemOf(interlockingGroups, { name: 'Airlock' })
  const { user } = await openConsole(`sites/interlocks?open=${airlock._id}`, {
    answers: [holding(interlockingGroups, [airlock]), holding(doors, [])],
  })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/Its doors can then be open at the same time/)).toBeTruthy()
})
