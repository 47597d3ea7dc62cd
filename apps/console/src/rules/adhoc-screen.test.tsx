import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const yard = itemOf(sites, { name: 'Yard', timeZone: 'Africa/Johannesburg' })
const gate = itemOf(doors, { name: 'Gate', site: yard._id })
const crew = itemOf(userGroups, { name: 'Painters' })
const box = (from: string, until: string) => ({ from, until })
const temporary = (name: string, adhoc: { from: string; until: string }) =>
  itemOf(rules, {
    name,
    effect: 'allow',
    who: [{ kind: 'User Group', id: crew._id }],
    where: [{ kind: 'Door', id: gate._id }],
    adhoc,
  })
const active = temporary('Now', box('2026-11-19T08:00:00.000Z', '2026-11-19T12:00:00.000Z'))
const upcoming = temporary('Soon', box('2026-11-20T08:00:00.000Z', '2026-11-20T12:00:00.000Z'))
const past = temporary('Before', box('2026-11-18T08:00:00.000Z', '2026-11-18T12:00:00.000Z'))

// A Thursday, noon in Johannesburg.
beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-19T10:00:00Z'), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test('§2 adhoc: tabs list all, active, upcoming and past access with their numbers, and the address keeps the tab', async () => {
  const { user, sent } = await open('rules/adhoc', lists)
  for (const name of ['All (3)', 'Active (1)', 'Upcoming (1)', 'Past (1)']) await screen.findByRole('link', { name })
  expect(screen.getByRole('link', { name: 'All (3)' }).getAttribute('aria-current')).toBe('page')
  await user.click(screen.getByRole('link', { name: 'Upcoming (1)' }))
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  expect(window.location.search).toBe('?state=to_come')
  expect(screen.getByRole('link', { name: 'Upcoming (1)' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'All (3)' }).getAttribute('aria-current')).toBeNull()
  const asked = sent('GET', '/api/rules').map(({ query }) => query.get('filter'))
  expect(asked).toContain('{"and":[{"adhoc.until":{"exists":true}},{"adhoc.from":{"gt":"2026-11-19T10:00:00.000Z"}}]}')
})

test('§2 adhoc: access is ended and extended in its row', async () => {
  const { user, sent } = await open('rules/adhoc', saved, lists)
  const buttons = async (index: number) => within((await screen.findAllByRole('row'))[index] ?? document.body)
  await screen.findByRole('button', { name: 'End now' })
  await user.click((await buttons(1)).getByRole('button', { name: 'End now' }))
  const ended = { from: active.adhoc?.from, until: '2026-11-19T09:59:59.000Z' }
  await waitFor(() => expect(sent('PATCH', `/api/rules/${active._id}`)[0]?.body).toMatchObject({ adhoc: ended }))
  await user.click((await buttons(2)).getByRole('button', { name: 'Extend' }))
  await user.click(await screen.findByRole('menuitem', { name: 'By 1 week' }))
  const longer = { from: upcoming.adhoc?.from, until: '2026-11-27T12:00:00.000Z' }
  await waitFor(() => expect(sent('PATCH', `/api/rules/${upcoming._id}`)[0]?.body).toMatchObject({ adhoc: longer }))
  expect((await buttons(3)).getByRole('button', { name: 'Grant again' })).toBeTruthy()
})

test('§2 adhoc: access of many is extended by the selected time, after its effects are shown', async () => {
  const tried: unknown[] = []
  const { user, sent } = await openConsole('rules/adhoc', {
    answers: [saved, lists, ...others()],
    preview: ({ body }) => {
      tried.push(body)
      return { access: null, noRoom: [], hasHiddenUnits: false, notExamined: 0 }
    },
  })
  for (const name of await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ })) await user.click(name)
  const bar = within(await screen.findByRole('region', { name: '3 selected' }))
  await user.click(bar.getByRole('button', { name: 'Extend' }))
  const dialog = within(await screen.findByRole('dialog'))
  const extend = dialog.getByRole('button', { name: 'Extend' })
  expect(extend).toHaveProperty('disabled', true)
  await user.click(dialog.getByRole('radio', { name: 'By 1 hour' }))
  await user.click(dialog.getByRole('button', { name: 'Show who gains and loses access' }))
  const longer = [
    [active, '2026-11-19T13:00:00.000Z'],
    [upcoming, '2026-11-20T13:00:00.000Z'],
    [past, '2026-11-19T11:00:00.000Z'],
  ] as const
  const save = longer.map(([{ _id, adhoc }, until]) => ({ _id, adhoc: { from: adhoc?.from, until } }))
  await waitFor(() => expect(tried).toMatchObject([{ save }]))
  await user.click(extend)
  for (const { _id, adhoc } of save)
    await waitFor(() => expect(sent('PATCH', `/api/rules/${_id}`)[0]?.body).toMatchObject({ adhoc }))
})

test('§2 adhoc: a group gets access to a door until 18:00 in the time zone of its site', async () => {
  const { user, sent } = await open('rules/adhoc?open=new', created, lists)
  const dialog = within(await screen.findByRole('dialog'))
  for (const [index, name] of ['Painters', 'Gate'].entries()) {
    const input = dialog.getAllByPlaceholderText('add…')[index]
    if (input) await user.type(input, name)
    await user.click(await screen.findByRole('option', { name: new RegExp(name) }))
  }
  await user.click(dialog.getByRole('radio', { name: 'At 18:00' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('POST', '/api/rules')).toHaveLength(1))
  expect(sent('POST', '/api/rules')[0]?.body).toMatchObject({
    who: [{ kind: 'User Group', id: crew._id }],
    where: [{ kind: 'Door', id: gate._id }],
    adhoc: { from: '2026-11-19T10:00:00.000Z', until: '2026-11-19T16:00:00.000Z' },
  })
})

test('§2 adhoc: an hour of today that has passed is not offered', async () => {
  vi.setSystemTime(new Date('2026-11-19T19:00:00Z'))
  await open('rules/adhoc?open=new', lists)
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('radio', { name: 'At 18:00' })).toHaveProperty('disabled', true)
  expect(dialog.getByRole('radio', { name: 'At midnight' })).toHaveProperty('disabled', false)
})

function open(path: string, ...answers: Answer[]) {
  return openConsole(path, { answers: [...answers, ...others()] })
}

function others() {
  const none = [schedules, doorGroups, siteGroups, users].map((of) => holding(of, []))
  return [holding(sites, [yard]), holding(doors, [gate]), holding(userGroups, [crew]), ...none]
}

/** The rules as the server filters them. */
function lists(request: Parameters<Answer>[0]) {
  const filter = request.query.get('filter') ?? ''
  const state = [
    ['"adhoc.from":{"lte"', [active]],
    ['"adhoc.from":{"gt"', [upcoming]],
    ['"adhoc.until":{"lte"', [past]],
  ] as const
  const found = state.find(([words]) => filter.includes(words))
  return holding(rules, [...(found?.[1] ?? [active, upcoming, past])])(request)
}

function saved({ method, path, body }: Parameters<Answer>[0]) {
  if (method !== 'PATCH') return undefined
  const rule = [active, upcoming, past].find(({ _id }) => path.endsWith(_id))
  return typeof body === 'object' && rule ? { ...rule, ...body, version: 2 } : undefined
}

function created({ method, path, body }: Parameters<Answer>[0]) {
  if (method !== 'POST' || path !== '/api/rules' || typeof body !== 'object') return undefined
  return { ...active, ...body }
}
