import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { schedules } from '@portcullis/contract/collections/schedules'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const yard = itemOf(sites, { name: 'Yard', timeZone: 'Africa/Johannesburg' })
const gate = itemOf(doors, { name: 'Gate', site: yard._id, acceptsPinAlone: true })
const shed = itemOf(doors, { name: 'Shed', site: yard._id, requiresRemoteAuth: true })
const link = 'https://doors.example/guest#secret'

// A Thursday, noon in Johannesburg.
beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-19T10:00:00Z'), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test('§5 guest: the form gives a guest a link and a code until 18:00 at the site, and shows them once', async () => {
  const { user, sent } = await open()
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('radio', { name: 'A guest' }))
  const code = await screen.findByRole('checkbox', { name: /A code/ })
  expect(code).toHaveProperty('disabled', true)
  await user.type(await screen.findByLabelText(/Name of the guest/), 'Zoltán Szabó')
  await select(user, 'Shed')
  await screen.findByText(/^A link does not open Shed: approval/)
  await screen.findByText('None of these doors accepts a PIN alone.')
  await select(user, 'Gate')
  await screen.findByText('A PIN without a card does not open Shed.')
  await user.click(screen.getByRole('checkbox', { name: /A code/ }))
  await user.click(screen.getByRole('radio', { name: 'At 18:00' }))
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  await waitFor(() => expect(sent('POST', '/api/rules/guests')).toHaveLength(1))
  expect(sent('POST', '/api/rules/guests')[0]?.body).toEqual({
    name: 'Zoltán Szabó',
    email: null,
    doors: [shed._id, gate._id],
    adhoc: { from: '2026-11-19T10:00:00.000Z', until: '2026-11-19T16:00:00.000Z' },
    by: ['code', 'link'],
    note: null,
  })
  expect(within(await screen.findByRole('region', { name: 'Code' })).getByText('482913')).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'Link' })).getByText(link)).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.getByText('482913')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText('482913')).toBeNull())
})

test('§5 guest: missing fields are named, and nothing is sent', async () => {
  const { user, sent } = await open()
  await user.click(within(await screen.findByRole('dialog')).getByRole('radio', { name: 'A guest' }))
  await user.click(await screen.findByRole('button', { name: 'Invite' }))
  expect(await screen.findAllByText('This is required.')).toHaveLength(2)
  expect(sent('POST', '/api/rules/guests')).toEqual([])
})

test('§5 guest: a wrong email is explained at its field only', async () => {
  const { user } = await open(({ path }) =>
    path === '/api/rules/guests'
      ? refusal({ code: 'bad_request', fieldErrors: { email: 'invalid_email' } })
      : undefined,
  )
  await user.click(within(await screen.findByRole('dialog')).getByRole('radio', { name: 'A guest' }))
  await user.type(await screen.findByLabelText(/Name of the guest/), 'Zoltán Szabó')
  await user.type(screen.getByLabelText(/^Email/), 'zoltan')
  await select(user, 'Gate')
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  expect(await screen.findByText('Please enter a valid email.')).toBeTruthy()
  expect(screen.queryByText(/did not understand/)).toBeNull()
})

type User = Awaited<ReturnType<typeof open>>['user']

async function select(user: User, name: string) {
  await user.type(screen.getByPlaceholderText('add…'), name)
  await user.click(await screen.findByRole('option', { name: new RegExp(name) }))
}

function open(answer: Answer = invited) {
  const none = [schedules, doorGroups, siteGroups, users, userGroups, rules].map((of) => holding(of, []))
  return openConsole('rules/adhoc?open=new', {
    answers: [answer, holding(sites, [yard]), holding(doors, [gate, shed]), ...none],
  })
}

function invited({ method, path }: Parameters<Answer>[0]) {
  if (method !== 'POST' || path !== '/api/rules/guests') return undefined
  return { rule: gate._id, user: shed._id, code: '482913', link, entries: [] }
}
