import { credentials } from '@portcullis/contract/collections/credentials'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'
import { endOfDay } from './temporary-card.tsx'

const nomsa = itemOf(users, { name: 'Nomsa Dlamini', role: 'appUser' })
const own = itemOf(credentials, { name: '', kind: 'card', number: '4711', user: nomsa._id })
const spare = itemOf(credentials, { name: '', kind: 'card', number: '4712', user: null })

test.each([
  { now: '2026-03-08T20:00:00Z', zone: 'America/New_York', end: '2026-03-09T04:00:00.000Z' },
  { now: '2026-12-31T22:30:00Z', zone: 'Africa/Johannesburg', end: '2027-01-01T22:00:00.000Z' },
  { now: '2026-05-05T00:00:00Z', zone: 'UTC', end: '2026-05-06T00:00:00.000Z' },
])('the day of $now ends at $end in $zone', ({ now, zone, end }) => {
  expect(endOfDay(new Date(now), zone)).toBe(end)
})

test('a temporary card takes two presses', async () => {
  const { user, sent } = await openUser()
  await user.click(await screen.findByRole('button', { name: 'Temporary card' }))
  const before = endOfDay(new Date(), 'UTC')
  await user.click(await screen.findByRole('button', { name: '4712' }))
  await waitFor(() => expect(sent('PATCH', `/api/credentials/${spare._id}`)).toHaveLength(1))
  const bodies = [before, endOfDay(new Date(), 'UTC')].map((validUntil) => ({
    user: nomsa._id,
    validFrom: null,
    validUntil,
  }))
  expect(bodies).toContainEqual(sent('PATCH', `/api/credentials/${spare._id}`)[0]?.body)
})

test('a stolen card is replaced by a free one in one request', async () => {
  const { user, sent } = await openUser()
  await user.click(await screen.findByRole('button', { name: 'Replace 4711' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Replace 4711' }))
  await user.click(dialog.getByRole('radio', { name: 'Stolen' }))
  await user.click(await dialog.findByRole('button', { name: '4712' }))
  const path = `/api/credentials/${own._id}/replace`
  await waitFor(() => expect(sent('POST', path)).toHaveLength(1))
  expect(sent('POST', path).map(({ body }) => body)).toEqual([{ status: 'stolen', by: { _id: spare._id } }])
})

test('a free card beyond the first page is found by its number', async () => {
  const printed = { format: 'wiegand26', facility: 118, printed: '8742' }
  const found = itemOf(credentials, { name: '', kind: 'card', number: '2EC444C', ...printed, user: null })
  const { user, sent } = await openUser(({ method, path, query, ...request }) => {
    if (path !== '/api/credentials' || !query.get('filter')?.includes('exists')) return undefined
    if (query.get('search') === '742') return holding(credentials, [found])({ method, path, query, ...request })
    const page = { size: 20, totalElements: 1_000, totalPages: 50, pageNumber: 0 }
    return { items: [spare], page, next: null }
  })
  await user.click(await screen.findByRole('button', { name: 'Temporary card' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Temporary card' }))
  expect(await dialog.findByText('999 more cards. Search to find one of them.')).toBeTruthy()
  await user.type(dialog.getByLabelText('Search free cards by number'), '742')
  await user.click(await dialog.findByRole('button', { name: '118 / 8742' }))
  await waitFor(() => expect(sent('PATCH', `/api/credentials/${found._id}`)).toHaveLength(1))
})

test('a lent card that has ended says so, and is returned with one press', async () => {
  const lent = { ...own, validUntil: '2026-03-09T00:00:00.000Z' }
  const { user, sent } = await openUser(holding(credentials, [lent]))
  expect(await screen.findByText(/Ended 8 Mar 2026|Ended Mar 8, 2026/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Replace 4711' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Return 4711' }))
  await waitFor(() => expect(sent('PATCH', `/api/credentials/${own._id}`)).toHaveLength(1))
  expect(sent('PATCH', `/api/credentials/${own._id}`)[0]?.body).toEqual({
    user: null,
    validFrom: null,
    validUntil: null,
    version: 1,
  })
})

function openUser(answer: Answer = () => undefined) {
  return openConsole(`users/list?open=${nomsa._id}`, {
    answers: [
      answer,
      ({ method, path }) => (method === 'PATCH' && path.startsWith('/api/credentials/') ? spare : undefined),
      ({ path }) => (path.endsWith('/replace') ? { _id: spare._id, entries: [] } : undefined),
      holding(users, [nomsa]),
      ({ query, path }) =>
        path === '/api/credentials' && query.get('filter')?.includes('exists')
          ? holding(credentials, [spare])({ method: 'GET', path, query, headers: new Headers(), body: undefined })
          : undefined,
      holding(credentials, [own]),
      holding(userGroups, []),
    ],
  })
}
