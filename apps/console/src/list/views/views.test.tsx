import { type SavedView, savedView } from '@portcullis/contract/calls/saved-views'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../../routes/test-answers.ts'
import { type Answer, type AppRequest, openConsole } from '../../routes/test-app.tsx'

const people = [itemOf(users, { name: 'Amahle Zulu' })]
const initial = ['Name', 'Title', 'Role', 'Groups', 'Status', 'Valid until']

test('§4 columns: they are chosen and moved by keys, announced at their new place, remembered and reset', async () => {
  const { user, sent } = await open('users/list', [({ method }) => (method === 'PUT' ? noContent() : undefined)])
  await waitFor(() => expect(heads()).toEqual(initial))
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  expect(await screen.findByRole('checkbox', { name: 'Name' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('checkbox', { name: 'Role' }))
  await user.click(screen.getByRole('checkbox', { name: 'Added' }))
  screen.getByRole('button', { name: 'Move Status' }).focus()
  await user.keyboard('{ArrowUp}')
  expect(heads()).toEqual(['Name', 'Title', 'Status', 'Groups', 'Valid until', 'Added'])
  expect(screen.getByText('Status is now column 3 of 6')).toBeTruthy()
  expect(new URLSearchParams(location.search).get('columns')).toBe('name,title,status,groups,validUntil,createdAt')
  const columns = ['name', 'title', 'status', 'groups', 'validUntil', 'createdAt']
  await waitFor(() => expect(remembered(sent)).toEqual({ list: 'users', columns }))
  await user.click(screen.getByRole('button', { name: 'Reset' }))
  expect(heads()).toEqual(initial)
  await waitFor(() => expect(remembered(sent)).toEqual({ list: 'users', columns: null }))
  expect(location.search).toBe('')
})

test('§4 columns: the most recent ones are shown, unless the URL names others', async () => {
  const answerViews: Answer = ({ path, method }) =>
    path === '/api/savedViews' && method === 'GET' ? { views: [], columns: ['name', 'role'] } : undefined
  const first = await open('users/list', [answerViews])
  await waitFor(() => expect(heads()).toEqual(['Name', 'Role']))
  first.unmount()
  await open('users/list?columns=name%2Ctitle', [answerViews])
  await waitFor(() => expect(heads()).toEqual(['Name', 'Title']))
})

test('§4 saved views: a view is saved under a name, is a link, and is deleted', async () => {
  const { user, sent } = await open('users/list?title=dock&sort=-name', [savedViews()])
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('button', { name: 'Save this view' }))
  const dialog = await screen.findByRole('dialog', { name: 'Save this view' })
  expect(within(dialog).getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Docks{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Docks' }))
  const query = { title: 'dock', sort: '-name' }
  expect(sent('POST', '/api/savedViews').map(({ body }) => body)).toEqual([
    { list: 'users', name: 'Docks', query, shared: false },
  ])
  await user.click(await screen.findByRole('link', { name: 'The whole list' }))
  await waitFor(() => expect(location.search).toBe(''))
  await user.click(screen.getByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('link', { name: 'Docks' }))
  await waitFor(() => expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual(query))
  await user.click(screen.getByRole('button', { name: 'Docks' }))
  await user.click(await screen.findByRole('button', { name: 'Change Docks' }))
  await user.click(await screen.findByRole('button', { name: 'Delete this view' }))
  expect(await screen.findByRole('button', { name: 'Views' })).toBeTruthy()
})

test('§4 saved views: a view can be shared, and a name in use is an error at its field', async () => {
  let isTaken = true
  const taken: Answer = ({ method }) =>
    method === 'PATCH' && isTaken ? refusal({ code: 'taken', fieldErrors: { name: 'invalid' } }) : undefined
  const { user, sent } = await open('users/list?title=dock', [taken, savedViews([view])])
  await user.click(await screen.findByRole('button', { name: 'Docks' }))
  await user.click(await screen.findByRole('button', { name: 'Change Docks' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change Docks' })
  await user.click(within(dialog).getByRole('checkbox', { name: /^Share with/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  const name = within(dialog).getByRole('textbox', { name: 'Name' })
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'))
  isTaken = false
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change Docks' })).toBeNull())
  expect(sent('PATCH', `/api/savedViews/${view._id}`).at(-1)?.body).toMatchObject({ shared: true, query: view.query })
})

const view: SavedView = {
  _id: '0198c0de-0000-7000-8000-000000000777',
  list: 'users',
  name: 'Docks',
  query: { title: 'dock' },
  shared: false,
  own: true,
  ownerName: null,
  version: 1,
}

/** The views of one user, as the server stores them. */
function savedViews(views: SavedView[] = []): Answer {
  let stored = views
  return ({ method, path, body }: AppRequest) => {
    if (!path.startsWith('/api/savedViews')) return undefined
    if (method === 'GET') return { views: stored, columns: null }
    if (method === 'PUT') return noContent()
    if (method === 'DELETE') {
      stored = []
      return noContent()
    }
    stored = [savedView.parse({ ...view, ...stored[0], ...Object(body) })]
    return stored[0]
  }
}

function open(path: string, answers: readonly Answer[]) {
  return openConsole(path, { answers: [...answers, holding(users, people)] })
}

function noContent() {
  return new Response(null, { status: 204 })
}

function heads() {
  return screen.getAllByRole('columnheader').flatMap(({ textContent }) => (textContent ? [textContent] : []))
}

function remembered(sent: Awaited<ReturnType<typeof openConsole>>['sent']) {
  return sent('PUT', '/api/savedViews/columns').at(-1)?.body
}
