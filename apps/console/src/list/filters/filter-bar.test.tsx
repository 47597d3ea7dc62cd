import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../../routes/test-answers.ts'
import { openConsole } from '../../routes/test-app.tsx'

const people = ['Amahle Zulu', 'Bongani Sithole'].map((name) => itemOf(users, { name }))

test('§4 lists: a chip shows the selected values in words, and can be removed', async () => {
  const { user, sent } = await openUsers()
  await user.click(await screen.findByRole('button', { name: 'Role any' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Installer' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Administrator' }))
  expect(await screen.findByRole('button', { name: 'Role Administrator, Installer' })).toBeTruthy()
  expect(location.search).toBe('?role=admin%2Cinstaller')
  await waitFor(() => expect(lastFilter(sent)).toEqual({ role: { in: ['admin', 'installer'] } }))
  await user.click(screen.getByRole('checkbox', { name: 'App user' }))
  expect(await screen.findByRole('button', { name: 'Role 3 selected' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Remove filter Role' }))
  expect(await screen.findByRole('button', { name: 'Role any' })).toBeTruthy()
  expect(location.search).toBe('')
})

test('§4 lists: a rarely used filter is added as a chip, and is removed if it stays without a value', async () => {
  const { user } = await openUsers()
  await add(user, 'Title')
  await user.click(await screen.findByRole('button', { name: 'Title any' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Title any' })).toBeNull())
})

test('§4 lists: a text is applied as a whole, without the spaces around it', async () => {
  const { user, sent } = await openUsers()
  await add(user, 'Title')
  await user.type(await screen.findByLabelText('Contains'), ' dock{Enter}')
  expect(await screen.findByRole('button', { name: 'Title dock' })).toBeTruthy()
  expect(location.search).toBe('?title=dock')
  await waitFor(() => expect(lastFilter(sent)).toEqual({ title: { like: 'dock' } }))
  expect(sent('GET', '/api/users')).toHaveLength(2)
})

test('§4 lists: a field that may be empty is filtered for empty and for not empty', async () => {
  const { user, sent } = await openUsers()
  await add(user, 'Title')
  await user.click(await screen.findByRole('button', { name: 'Is empty' }))
  expect(await screen.findByRole('button', { name: 'Title is empty' })).toBeTruthy()
  await waitFor(() => expect(lastFilter(sent)).toEqual({ title: { exists: false } }))
  await user.click(screen.getByRole('button', { name: 'Is not empty' }))
  expect(await screen.findByRole('button', { name: 'Title is not empty' })).toBeTruthy()
})

test('§4 lists: a time span is one that moves with the present, or from one moment until another', async () => {
  const { user, sent } = await openUsers()
  await add(user, 'Added')
  expect(await screen.findByText(/^Times in .+ \(UTC/)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Last 24 hours' }))
  expect(await screen.findByRole('button', { name: 'Added Last 24 hours' })).toBeTruthy()
  expect(location.search).toBe('?createdAt=24h')
  await user.click(screen.getByRole('button', { name: /^Added/ }))
  const apply = await screen.findByRole('button', { name: 'Apply' })
  await user.type(dateOf('From'), '2/3/2026')
  await user.type(dateOf('Until'), '1/3/2026')
  expect(apply).toHaveProperty('disabled', true)
  await user.clear(dateOf('From'))
  await user.click(apply)
  expect(await screen.findByRole('button', { name: /^Added before 1 Mar/ })).toBeTruthy()
  const until = new Date('2026-03-01T23:59').toISOString()
  await waitFor(() => expect(lastFilter(sent)).toEqual({ createdAt: { lt: until } }))
})

function dateOf(label: string) {
  return within(screen.getByRole('group', { name: label })).getByRole('textbox', { name: 'Date' })
}

test('§4 lists: a range of numbers may be open at one end, and does not run backwards', async () => {
  const { user, sent } = await openConsole('auditLogs/list?action=create', { answers: [holding(auditLogs, [])] })
  await add(user, 'Policy version')
  const apply = await screen.findByRole('button', { name: 'Apply' })
  expect(apply).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('From'), '7')
  await user.type(screen.getByLabelText('To'), '3')
  expect(apply).toHaveProperty('disabled', true)
  await user.clear(screen.getByLabelText('To'))
  await user.click(apply)
  expect(await screen.findByRole('button', { name: 'Policy version at least 7' })).toBeTruthy()
  const filter = () => JSON.stringify(lastFilter(sent, '/api/auditLogs'))
  await waitFor(() => expect(filter()).toContain('{"policyVersion":{"gte":7}}'))
})

test('§4 lists: an item is chosen by its name', async () => {
  const quay = itemOf(sites, { name: 'North quay', timeZone: 'UTC' })
  const unit = itemOf(units, { name: 'Gate controller', serial: 'PC-1' })
  const { user, sent } = await openConsole('units/list', { answers: [holding(units, [unit]), holding(sites, [quay])] })
  await user.click(await screen.findByRole('button', { name: 'Site any' }))
  await user.click(await screen.findByRole('combobox', { name: 'Site' }))
  await user.click(await screen.findByRole('option', { name: 'North quay' }))
  expect(await screen.findByRole('button', { name: 'Site North quay' })).toBeTruthy()
  await waitFor(() => expect(lastFilter(sent, '/api/units')).toEqual({ site: quay._id }))
})

test('§4 lists: unknown filters of a URL are named, ignored and removed', async () => {
  const { user, sent } = await openUsers('?status=burning&sort=-colour&page=x&title=dock')
  const bar = (await screen.findByText(/Status, Page, Sort by/)).closest('[role=status]')
  expect(lastFilter(sent)).toEqual({ title: { like: 'dock' } })
  expect(sent('GET', '/api/users').at(-1)?.query.get('sort')).toBe('{"prop":"name","dir":"asc"}')
  await user.click(within(bar instanceof HTMLElement ? bar : document.body).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(location.search).toBe('?title=dock'))
  expect(screen.queryByText(/Status, Page, Sort by/)).toBeNull()
})

type Opened = Awaited<ReturnType<typeof openConsole>>

function openUsers(search = '') {
  return openConsole(`users/list${search}`, { answers: [holding(users, people)] })
}

async function add(user: Opened['user'], name: string) {
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

function lastFilter(sent: Opened['sent'], path = '/api/users'): unknown {
  return JSON.parse(sent('GET', path).at(-1)?.query.get('filter') ?? 'null')
}
