import type { ChangePreview } from '@portcullis/contract/change-preview'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const group = itemOf(userGroups, { name: 'Night shift' })
const path = `/api/userGroups/${group._id}`

const enough: ChangePreview = { access: null, noRoom: [], hasHiddenUnits: false, notExamined: 0 }

const full: ChangePreview['noRoom'][number] = {
  _id: '0198c0de-0000-7000-8000-0000000000c1',
  name: 'Gatehouse',
  capacity: { doors: 4, credentials: 100, schedules: 16 },
  needs: { doors: 2, credentials: 102, schedules: 3 },
  cardholders: {
    total: 2,
    items: [
      { _id: '0198c0de-0000-7000-8000-0000000000c2', name: 'Ann', account: '0198c0de-0000-7000-8000-0000000000aa' },
    ],
  },
  incomplete: [{ _id: '0198c0de-0000-7000-8000-0000000000c3', name: 'Barrier', cardholders: 2 }],
  doors: [],
  schedules: [],
}

test('a change for which a controller has no room is saved only when the user has read so and presses Save anyway', async () => {
  const { user, sent } = await edit({ ...enough, noRoom: [full], notExamined: 1 })
  await user.type(nameField(), ' 2')
  await user.click(save())
  const notice = await screen.findByText('There is no room for all of it')
  const words = notice.closest('[role=alert]')?.textContent?.replaceAll(/[\u2068\u2069]/g, '')
  expect(words).toContain('Gatehouse has room for 100 credentials and would need 102 credentials.')
  expect(words).toContain(
    'Credentials of 2 more cardholders would be denied at its doors. Among them: Ann. At these doors: Barrier (2).',
  )
  expect(words).toContain('1 more controller that is nearly full was not checked.')
  expect(save()).toHaveProperty('disabled', true)
  await user.keyboard('{Enter}')
  expect(sent('PATCH', path)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Save anyway' }))
  expect(await screen.findByText('Night shift 2 was saved')).toBeTruthy()
  expect(sent('PATCH', path).map(({ body }) => body)).toEqual([{ name: 'Night shift 2', version: 1 }])
})

test('another change is tried again', async () => {
  const { user } = await edit({ ...enough, noRoom: [full] })
  await user.type(nameField(), ' 2')
  await user.click(save())
  await screen.findByText('There is no room for all of it')
  await user.type(nameField(), '3')
  expect(screen.queryByText('There is no room for all of it')).toBeNull()
  expect(save()).toHaveProperty('disabled', false)
})

test('a change for which everything has room is saved with one press', async () => {
  const { user, sent } = await edit(enough)
  await user.type(nameField(), ' 2')
  await user.click(save())
  await waitFor(() => expect(sent('PATCH', path)).toHaveLength(1))
  expect(await screen.findByText('Night shift 2 was saved')).toBeTruthy()
})

test.each(['too_many', 'unavailable', 'internal'] as const)(
  'a check that fails as %s prevents no save',
  async (code) => {
    const { user } = await edit(() => refusal({ code }))
    await user.type(nameField(), ' 2')
    await user.click(save())
    expect(await screen.findByText(unchecked)).toBeTruthy()
  },
)

test('a save of which not all controllers were checked says so, not as a success', async () => {
  const { user } = await edit({ ...enough, notExamined: 1 })
  await user.type(nameField(), ' 2')
  await user.click(save())
  const toast = (await screen.findByText(unchecked)).closest('[data-tone]')
  expect(toast?.getAttribute('data-tone')).toBe('warning')
})

test('a form that changes while it is checked is not saved, and says so', async () => {
  const checked = Promise.withResolvers<ChangePreview>()
  const { user, sent } = await edit(() => checked.promise)
  await user.type(nameField(), ' 2')
  await user.click(save())
  await user.type(nameField(), '3')
  checked.resolve(enough)
  expect(
    await screen.findByText('The form changed while it was checked, and was not saved. Save it again.'),
  ).toBeTruthy()
  expect(sent('PATCH', path)).toEqual([])
})

test('a restored draft is tried again before it is saved', async () => {
  const first = await edit(enough)
  await first.user.type(nameField(), ' 9')
  first.unmount()
  const { user } = await edit({ ...enough, noRoom: [full] })
  await user.type(nameField(), ' 2')
  await user.click(save())
  await screen.findByText('There is no room for all of it')
  await user.click(screen.getByRole('button', { name: 'Restore draft' }))
  expect(screen.queryByText('There is no room for all of it')).toBeNull()
  expect(nameField().value).toBe('Night shift 9')
})

const unchecked = 'Night shift 2 was saved. Room on controllers was not checked.'

test('a change that the check refuses is not saved, and says why', async () => {
  const { user, sent } = await edit(() => refusal({ code: 'forbidden' }))
  await user.type(nameField(), ' 2')
  await user.click(save())
  await waitFor(() => expect(screen.getAllByRole('alert').at(-1)?.textContent).not.toBe(''))
  expect(sent('PATCH', path)).toEqual([])
})

async function edit(preview: ChangePreview | Answer) {
  const saved: Answer = ({ method, body }) =>
    method === 'PATCH' ? { ...group, ...Object(body), version: group.version + 1 } : undefined
  const answers = [saved, holding(userGroups, [group]), holding(users, [])]
  const opened = await openConsole(`users/groups?open=${group._id}`, { answers, preview })
  await screen.findByRole('dialog', { name: 'Night shift' })
  return opened
}

function nameField() {
  return screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
}

function save() {
  return screen.getByRole('button', { name: 'Save' })
}
