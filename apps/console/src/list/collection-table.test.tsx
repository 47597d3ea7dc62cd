import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

/** The behaviour of every list, shown on the users of an account and on their groups. */
const people = ['Amahle Zulu', 'Bongani Sithole', 'Carla Ferreira', 'Devan Pillay'].map((name) =>
  itemOf(users, { name }),
)
const many = Array.from({ length: 45 }, (_, index) => itemOf(users, { name: `Visitor ${index + 1}` }))

test('a list shows a row for each item, with its cells, and how many there are', async () => {
  await openConsole('users/list', { answers: [holding(users, people)] })
  const row = await screen.findByRole('row', { name: /Carla Ferreira/ })
  expect(within(row).getByRole('cell', { name: 'Active' })).toBeTruthy()
  expect(names()).toEqual(people.map(({ name }) => name))
  expect(screen.getByRole('table', { name: 'Users' }).getAttribute('aria-rowcount')).toBe('5')
  expect(screen.getByText('4 rows')).toBeTruthy()
})

test('an empty list names the next step, which opens the form', async () => {
  const { user } = await openConsole('users/list', { answers: [holding(users, []), holding(userGroups, [])] })
  const notice = (await screen.findByRole('heading', { name: 'No users yet' })).closest('div')
  expect(screen.queryByRole('searchbox')).toBeNull()
  await user.click(within(notice ?? document.body).getByRole('button', { name: 'Add user' }))
  expect(await screen.findByRole('dialog', { name: 'Add user' })).toBeTruthy()
})

test('§6 an empty list offers nothing to a user who may not add', async () => {
  const as = userWith([{ action: 'view', subject: 'Users' }])
  await openConsole('users/list', { as, answers: [holding(users, [])] })
  await screen.findByRole('heading', { name: 'No users yet' })
  expect(screen.queryByRole('button', { name: 'Add user' })).toBeNull()
})

test('§4 lists: a list that could not be loaded shows the reason, and Retry loads it', async () => {
  let isDown = true
  const down = ({ path }: { path: string }) =>
    isDown && path === '/api/users' ? refusal({ code: 'internal' }) : undefined
  const { user } = await openConsole('users/list', { answers: [down, holding(users, people)] })
  const alert = (await screen.findByRole('heading', { name: 'This could not be loaded' })).closest('[role=alert]')
  expect(alert?.textContent).toContain('test')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(names()).toHaveLength(4))
})

test('§4 lists: a list that takes too long shows what to change, and Retry loads it', async () => {
  let isSlow = true
  const slow = ({ path }: { path: string }) =>
    isSlow && path === '/api/users' ? refusal({ code: 'too_slow' }) : undefined
  const { user } = await openConsole('users/list', { answers: [slow, holding(users, people)] })
  const alert = (await screen.findByRole('heading', { name: 'This could not be loaded' })).closest('[role=alert]')
  expect(alert?.textContent).toContain(
    'This took too long. Choose a shorter period or fewer conditions, then try again.',
  )
  isSlow = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(names()).toHaveLength(4))
})

test('§4 lists: without a connection the rows stay, with a notice until it is back', async () => {
  const { user, sent } = await openConsole('users/list', { answers: [holding(users, people)] })
  await waitFor(() => expect(names()).toHaveLength(4))
  window.dispatchEvent(new Event('offline'))
  await user.type(screen.getByRole('searchbox', { name: 'Search Users' }), 'devan')
  const alert = await screen.findByText(/^This list may be out of date: No connection/)
  expect(alert.closest('[role=alert]')).toBeTruthy()
  expect(names()).toHaveLength(4)
  expect(sent('GET', '/api/users')).toHaveLength(1)
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(sent('GET', '/api/users').at(-1)?.query.get('search')).toBe('devan'))
  await waitFor(() => expect(screen.queryByText(/No connection/)).toBeNull())
})

test('§3 lists: a heading sorts by its column, in the other direction when pressed again, and shows the direction', async () => {
  const { user, sent } = await openConsole('users/list', { answers: [holding(users, people)] })
  await waitFor(() => expect(sortedBy()).toEqual(['Name ascending']))
  const press = () => user.click(within(screen.getByRole('columnheader', { name: 'Title' })).getByRole('button'))
  await press()
  await waitFor(() => expect(sortedBy()).toEqual(['Title ascending']))
  await press()
  await waitFor(() => expect(sortedBy()).toEqual(['Title descending']))
  expect(orders(sent)).toEqual([
    { prop: 'name', dir: 'asc' },
    { prop: 'title', dir: 'asc' },
    { prop: 'title', dir: 'desc' },
  ])
  expect(location.search).toBe('?sort=-title')
})

test('§3 lists: the pager leads to the next page, to a typed one, and changes how many rows a page has', async () => {
  const { user, sent } = await openConsole('users/list', { answers: [holding(users, many)] })
  expect(await screen.findByText('1 to 20 of 45')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Previous page' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(await screen.findByText('21 to 40 of 45')).toBeTruthy()
  await user.clear(screen.getByRole('textbox', { name: 'Page' }))
  await user.type(screen.getByRole('textbox', { name: 'Page' }), '9{Enter}')
  expect(await screen.findByText('41 to 45 of 45')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows' }), '50')
  expect(await screen.findByText('45 rows')).toBeTruthy()
  const pages = sent('GET', '/api/users').map(({ query }) => [query.get('page'), query.get('size')])
  expect(pages).toEqual([
    ['0', '20'],
    ['1', '20'],
    ['2', '20'],
    ['0', '50'],
  ])
})

test('a list past its end leads back to the first page', async () => {
  const { user } = await openConsole('users/list?page=7', { answers: [holding(users, many)] })
  await screen.findByRole('heading', { name: 'This page is empty' })
  await user.click(screen.getByRole('button', { name: 'Go to the first page' }))
  await waitFor(() => expect(names()).toHaveLength(20))
})

test('§4 lists: a typed text is searched for once, from the first page on; an empty result offers to clear it', async () => {
  const none = ({ path, query }: { path: string; query: URLSearchParams }) =>
    path === '/api/users' && query.has('search') ? holding(users, [])({ ...get, path, query }) : undefined
  const { user, sent } = await openConsole('users/list?page=2', { answers: [none, holding(users, many)] })
  await waitFor(() => expect(names()).toHaveLength(20))
  await user.type(screen.getByRole('searchbox', { name: 'Search Users' }), 'dock')
  await screen.findByRole('heading', { name: 'No results' })
  const searches = sent('GET', '/api/users').map(({ query }) => [query.get('search'), query.get('page')])
  expect(searches).toEqual([
    [null, '1'],
    ['dock', '0'],
  ])
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  await waitFor(() => expect(names()).toHaveLength(20))
  expect(screen.getByRole('searchbox')).toHaveProperty('value', '')
})

test('§4 bulk: Space selects the row that has the focus, Shift all rows up to it, and the page can be selected', async () => {
  const { user } = await openConsole('users/list', { answers: [holding(users, people)] })
  const opener = (await screen.findAllByRole('button', { name: /Amahle Zulu/ }))[0]
  opener?.focus()
  await user.keyboard(' ')
  expect(screen.getByRole('region', { name: '1 selected' })).toBeTruthy()
  await user.keyboard('{ArrowDown}{ArrowDown}{Shift>} {/Shift}')
  expect(screen.getByRole('region', { name: '3 selected' })).toBeTruthy()
  expect(selected()).toEqual(['Select Amahle Zulu', 'Select Bongani Sithole', 'Select Carla Ferreira'])
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  expect(screen.getByRole('region', { name: '4 selected' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('region', { name: /selected/ })).toBeNull()
})

test('§4 bulk: all rows that match are selected, on every page', async () => {
  const { user } = await openConsole('users/list', { answers: [holding(users, many)] })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Visitor 1' }))
  await user.click(screen.getByRole('button', { name: 'Select all 45' }))
  expect(await screen.findByRole('region', { name: '45 selected' })).toBeTruthy()
})

test('§4 bulk: each row has its result, and only the refused ones are tried again', async () => {
  const groups = ['Office', 'Cleaners'].map((name) => itemOf(userGroups, { name }))
  const [office] = groups
  let isUsed = true
  const removing = ({ method, path }: { method: string; path: string }) => {
    if (method !== 'DELETE') return undefined
    const isRefused = isUsed && path === `/api/userGroups/${office?._id}`
    return isRefused ? refusal({ code: 'conflict' }) : new Response(null, { status: 204 })
  }
  const { user, sent } = await openConsole('users/groups', { answers: [removing, holding(userGroups, groups)] })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete 2 groups?' })
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  const results = () => within(dialog).getAllByRole('listitem')
  await waitFor(() =>
    expect(results().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Office.+Failed$/),
      'CleanersDone',
    ]),
  )
  isUsed = false
  await user.click(within(dialog).getByRole('button', { name: 'Retry 1' }))
  await waitFor(() => expect(results().map(({ textContent }) => textContent)).toEqual(['OfficeDone', 'CleanersDone']))
  const tries = groups.map(({ _id }) => sent('DELETE', `/api/userGroups/${_id}`).length)
  expect(tries).toEqual([2, 1])
})

test('§6 a user who may only view a list cannot select rows', async () => {
  const as = userWith([{ action: 'view', subject: 'Users' }])
  await openConsole('users/list', { as, answers: [holding(users, people)] })
  await screen.findByRole('row', { name: /Carla Ferreira/ })
  expect(screen.queryByRole('checkbox')).toBeNull()
})

const get = { method: 'GET', headers: new Headers(), body: undefined }

function names() {
  return [...document.querySelectorAll('[data-row-opener] bdi')].map(({ textContent }) => textContent)
}

function sortedBy() {
  return screen
    .getAllByRole('columnheader')
    .flatMap((head) =>
      head.hasAttribute('aria-sort') ? [`${head.textContent} ${head.getAttribute('aria-sort')}`] : [],
    )
}

function selected() {
  return screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select (?!all)/ })
    .filter(({ checked }) => checked)
    .map((box) => box.getAttribute('aria-label'))
}

function orders(sent: Awaited<ReturnType<typeof openConsole>>['sent']) {
  return sent('GET', '/api/users').map(({ query }): unknown => JSON.parse(query.get('sort') ?? 'null'))
}
