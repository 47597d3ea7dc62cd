import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { tasks } from '@portcullis/contract/collections/tasks'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { holding, hyperUser, itemOf, refusal, userWith } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'
import type { Request } from './request.ts'

const yard = itemOf(sites, { name: 'Yard', timeZone: 'Africa/Johannesburg' })
const gate = itemOf(doors, { name: 'Gate', site: yard._id })

beforeEach(() => {
  vi.stubEnv('TZ', 'America/New_York')
})

test('§4 lists: requests show their times on the clocks of the viewer and of the site, whose zones are read once', async () => {
  const { sent } = await openConsole('tasks/list', {
    answers: [holding(tasks, [request(1), request(2)]), holding(doors, [gate]), holding(sites, [yard])],
  })
  expect(await screen.findAllByText('Tue 00:15 UTC+2 at the site')).toHaveLength(2)
  expect(screen.getAllByText(/17:15:00/)).toHaveLength(2)
  expect(sent('GET', '/api/sites')).toHaveLength(1)
  expect(sent('GET', '/api/doors')).toHaveLength(1)
})

test('§7 an open request is withdrawn by its user and by users who may decide it', async () => {
  const own = request(1, { ...open, user: hyperUser.user._id })
  const other = request(2, open)
  const { user, sent } = await openConsole(`tasks/list?open=${own._id}`, {
    answers: [withdrawn, ...holdingAll(own, other)],
  })
  expect(await inDrawer('Grant')).toHaveProperty('disabled', true)
  await user.click(await inDrawer('Withdraw'))
  await screen.findByText('Request withdrawn')
  await screen.findByText('Request not found')
  await user.click(await inDrawer('Close'))
  await user.click(await screen.findByRole('button', { name: /Amahle Zulu 2/ }))
  expect(await inDrawer('Grant')).toHaveProperty('disabled', false)
  await user.click(await inDrawer('Withdraw'))
  await expect.poll(() => sent('DELETE', `/api/tasks/${other._id}`)).toHaveLength(1)
  expect(sent('DELETE', `/api/tasks/${own._id}`)).toHaveLength(1)
})

test('§7 the bell offers Withdraw only for the user’s own request', async () => {
  const own = request(1, { ...open, user: hyperUser.user._id })
  const { user, sent } = await openConsole('tasks/list', { answers: [withdrawn, ...holdingAll(own, request(2, open))] })
  await user.click(await screen.findByRole('button', { name: 'Notifications' }))
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  await expect.poll(() => sent('DELETE', `/api/tasks/${own._id}`)).toHaveLength(1)
})

test('a refused withdrawal says why: a controller waits for the decision', async () => {
  const waiting = request(1, open)
  const refused: Answer = ({ method }) => (method === 'DELETE' ? refusal({ code: 'request_at_reader' }) : undefined)
  const answers = [refused, ...holdingAll(waiting)]
  const { user } = await openConsole(`tasks/list?open=${waiting._id}`, { answers })
  await user.click(await inDrawer('Withdraw'))
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toContainEqual(
    expect.stringContaining('A controller waits for the decision of this request'),
  )
})

test('§6 users who may only view requests get no buttons for those of others', async () => {
  const as = userWith([{ action: 'view', subject: 'RemoteAuth' }])
  const waiting = request(1, open)
  await openConsole(`tasks/list?open=${waiting._id}`, { as, answers: holdingAll(waiting) })
  await screen.findByRole('progressbar')
  for (const name of ['Withdraw', 'Grant', 'Deny']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('§7 a note is added to a decision and changed, and shown with the user who decided', async () => {
  let denied = request(1, decided)
  const answers: Answer[] = [
    ({ method, body }) => {
      if (method !== 'PATCH') return undefined
      denied = { ...denied, note: notes.parse(body).note }
      return denied
    },
    (asked) => holding(tasks, [denied])(asked),
    ...holdingAll(),
  ]
  const { user, sent } = await openConsole(`tasks/list?open=${denied._id}`, { answers })
  await user.click(await inDrawer('Add note'))
  await user.type(await screen.findByLabelText('Note'), 'Seen on camera')
  await user.click(await screen.findByRole('button', { name: 'Save' }))
  await user.click(await inDrawer('Change note'))
  const row = await screen.findByRole('row', { name: /Graham Whitfield.*Seen on camera/ })
  await user.type(await screen.findByLabelText('Note'), ', with a badge')
  await user.click(await screen.findByRole('button', { name: 'Save' }))
  await expect.poll(() => row.textContent).toContain('Seen on camera, with a badge')
  expect(sent('PATCH', `/api/tasks/${denied._id}`).map(({ body }) => body)).toEqual([
    { note: 'Seen on camera', noteAsRead: null },
    { note: 'Seen on camera, with a badge', noteAsRead: 'Seen on camera' },
  ])
})

test('§4 forms: a note that another user saved first is shown, and replaced only if the user decides so', async () => {
  let stored = request(1, decided)
  const answers: Answer[] = [
    ({ method, body }) => {
      if (method !== 'PATCH') return undefined
      const { note, noteAsRead } = notes.parse(body)
      if (noteAsRead !== stored.note) return refusal({ code: 'conflict', item: stored })
      stored = { ...stored, note }
      return stored
    },
    ...holdingAll(stored),
  ]
  const { user, sent } = await openConsole(`tasks/list?open=${stored._id}`, { answers })
  await user.click(await inDrawer('Add note'))
  stored = { ...stored, note: 'Not on the visitor list' }
  await user.type(await screen.findByLabelText('Note'), 'Seen on camera')
  await user.click(await screen.findByRole('button', { name: 'Save' }))
  await screen.findByRole('row', { name: /^Note .*Not on the visitor list Seen on camera$/ })
  await user.click(await screen.findByRole('button', { name: 'Save my changes' }))
  await expect.poll(() => screen.queryByLabelText('Note')).toBeNull()
  expect(sent('PATCH', `/api/tasks/${stored._id}`).map(({ body }) => body)).toEqual([
    { note: 'Seen on camera', noteAsRead: null },
    { note: 'Seen on camera', noteAsRead: 'Not on the visitor list' },
  ])
})

test('§6 the user of a request reads the note to its decision, and cannot change it', async () => {
  const own = request(1, { ...decided, user: hyperUser.user._id, note: 'Not on the visitor list' })
  await openConsole(`tasks/list?open=${own._id}`, { answers: holdingAll(own) })
  await within(await screen.findByRole('dialog', { name: 'Request' })).findByText('Not on the visitor list')
  expect(screen.queryByRole('button', { name: 'Change note' })).toBeNull()
})

const open = { status: 'Requested', user: '0198c0de-0000-7000-8000-0000000000bb' } as const
const decided = {
  ...open,
  status: 'Denied',
  decidedBy: '0198c0de-0000-7000-8000-0000000000cc',
  decidedByName: 'Graham Whitfield',
  decidedAt: '2026-01-05T22:15:20.000Z',
} as const
const notes = z.strictObject({ note: z.string(), noteAsRead: z.string().nullable() })

const withdrawn: Answer = ({ method }) => (method === 'DELETE' ? new Response(null, { status: 204 }) : undefined)

function holdingAll(...requests: Request[]) {
  return [...(requests.length > 0 ? [holding(tasks, requests)] : []), holding(doors, [gate]), holding(sites, [yard])]
}

async function inDrawer(name: string) {
  return within(await screen.findByRole('dialog', { name: 'Request' })).findByRole('button', { name })
}

function request(number: number, fields: Partial<Request> = {}) {
  return tasks.entitySchema.parse({
    _id: `0198c0de-0000-7000-8000-00000000001${number}`,
    account: '0198c0de-0000-7000-8000-0000000000aa',
    type: 'RemoteAuthRequest',
    status: 'Expired',
    user: '0198c0de-0000-7000-8000-000000000001',
    userName: `Amahle Zulu ${number}`,
    door: gate._id,
    doorName: 'Gate',
    siteName: 'Yard',
    createdAt: '2026-01-05T22:15:00.000Z',
    data: { expiresAfterSeconds: 60, authAction: 'unlockOnce' },
    expiresAt: '2026-01-05T22:16:00.000Z',
    decidedBy: null,
    decidedByName: null,
    decidedAt: null,
    note: null,
    delivery: null,
    deliveryDetail: null,
    sentAt: null,
    openedAt: null,
    ...fields,
  })
}
