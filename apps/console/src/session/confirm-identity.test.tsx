import { accounts } from '@portcullis/contract/collections/accounts'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

configure({ asyncUtilTimeout: 20_000 })
const ann = itemOf(users, { name: 'Ann', email: 'ann@portcullis.example' })
const ben = itemOf(users, { name: 'Ben', email: 'ben@portcullis.example' })
const people = holding(users, [ann, ben])
const title = 'Please confirm that it is you'

/** A server that refuses writes until the user has confirmed their identity. */
function staleSession(): Answer {
  let isFresh = false
  return ({ method, path }) => {
    if (path === '/api/auth/confirm') {
      isFresh = true
      return new Response(null, { status: 204 })
    }
    if (path === '/api/auth/activity') return undefined
    return method !== 'GET' && !isFresh ? refusal({ code: 'fresh_sign_in_needed' }) : undefined
  }
}

async function confirm(user: Awaited<ReturnType<typeof openConsole>>['user']) {
  const question = await screen.findByRole('dialog', { name: title })
  await user.type(within(question).getByLabelText('Password'), 'open sesame{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
}

test('§4 fresh sign-in: a changed user is saved after one question, with what was entered', async () => {
  const saved: Answer = ({ method, path, body }) =>
    method === 'PATCH' && path === `/api/users/${ann._id}` && typeof body === 'object' ? { ...ann, ...body } : undefined
  const { user, sent } = await openConsole(`users/list?open=${ann._id}`, {
    answers: [staleSession(), saved, people, nothingElse],
  })
  const drawer = await screen.findByRole('dialog', { name: 'Ann' })
  await user.type(within(drawer).getByRole('textbox', { name: 'Title' }), 'Porter')
  await user.click(within(drawer).getByRole('button', { name: 'Save' }))
  await confirm(user)
  await waitFor(() => expect(sent('PATCH', `/api/users/${ann._id}`)).toHaveLength(2))
  const [first, second] = sent('PATCH', `/api/users/${ann._id}`).map(({ body }) => body)
  expect(second).toEqual(first)
  expect(second).toMatchObject({ title: 'Porter' })
  expect(sent('POST', '/api/auth/confirm')).toHaveLength(1)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Ann' })).toBeNull())
})

test('§4 fresh sign-in: a user who cancels keeps the form and what they entered', async () => {
  const { user, sent } = await openConsole(`users/list?open=${ann._id}`, {
    answers: [staleSession(), people, nothingElse],
  })
  const drawer = await screen.findByRole('dialog', { name: 'Ann' })
  const field = within(drawer).getByRole('textbox', { name: 'Title' })
  await user.type(field, 'Porter')
  await user.click(within(drawer).getByRole('button', { name: 'Save' }))
  const question = await screen.findByRole('dialog', { name: title })
  await waitFor(() => expect(within(question).getByLabelText('Password')).toBe(document.activeElement))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
  await within(drawer).findByText('You did not confirm that it is you. Try again, and enter your password.')
  expect(field).toHaveProperty('value', 'Porter')
  expect(sent('PATCH', `/api/users/${ann._id}`)).toHaveLength(1)
})

test('§4 fresh sign-in: acting inside an account keeps the reason, also if the question is cancelled first', async () => {
  const branch = itemOf(accounts, { name: 'Branch', ref: 'branch', status: 'active' })
  const { user, sent } = await openConsole(`account/list?open=${branch._id}`, {
    answers: [staleSession(), refusingToAct, holding(accounts, [branch]), nothingElse],
  })
  await user.click(await screen.findByRole('button', { name: 'Act inside this account…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Act inside Branch' })
  await user.type(within(dialog).getByRole('textbox'), 'Door 4 is stuck')
  const begin = within(dialog).getByRole('button', { name: 'Act inside' })
  await user.click(begin)
  await screen.findByRole('dialog', { name: title })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
  await user.click(begin)
  await confirm(user)
  const path = `/api/accounts/${branch._id}/assume`
  await waitFor(() => expect(sent('POST', path)).toHaveLength(3))
  for (const { body } of sent('POST', path)) expect(body).toEqual({ reason: 'Door 4 is stuck' })
})

/** Only the request matters here. */
const refusingToAct: Answer = ({ path }) =>
  path.endsWith('/assume') ? refusal({ code: 'account_refused' }) : undefined

test('§4 fresh sign-in: an enrolment code appears after the question', async () => {
  const unit = itemOf(units, { name: 'Hall', serial: 'HALL-1' })
  const code = { code: 'ABCD-EFGH-JKLM', expiresAt: '2099-01-01T00:00:00.000Z' }
  const enrolling: Answer = ({ path }) => (path.endsWith('/enrolment') ? code : undefined)
  const { user } = await openConsole(`units/list?open=${unit._id}`, {
    answers: [staleSession(), enrolling, holding(units, [unit]), nothingElse],
  })
  await user.click(await screen.findByRole('button', { name: 'Enrol' }))
  await confirm(user)
  expect(await screen.findByText('ABCD-EFGH-JKLM')).toBeTruthy()
})

/** Lists beside the one of the test are empty. */
const nothingElse: Answer = ({ method, path }) =>
  method === 'GET' && /^\/api\/\w+$/.test(path)
    ? { items: [], page: { size: 10, totalElements: 0, totalPages: 0, pageNumber: 0 }, next: null }
    : undefined

test('§4 fresh sign-in: requests that are refused together share one question', async () => {
  const { user, sent } = await openConsole('users/list', { answers: [staleSession(), patched, people, nothingElse] })
  await screen.findByRole('row', { name: /Ann/ })
  const { client } = await import('./client.ts')
  const both = Promise.all([ann, ben].map(({ _id }) => client.of(users).patch(_id, { role: 'installer' })))
  await confirm(user)
  expect((await both).map(({ role }) => role)).toEqual(['installer', 'installer'])
  expect(sent('POST', '/api/auth/confirm')).toHaveLength(1)
})

const patched: Answer = ({ method, path, body }) => {
  const found = [ann, ben].find(({ _id }) => path === `/api/users/${_id}`)
  return method === 'PATCH' && found && typeof body === 'object' ? { ...found, ...body } : undefined
}
