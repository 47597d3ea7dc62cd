import { events } from '@portcullis/contract/collections/events'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const nothing: Answer = ({ method, path }) =>
  method === 'GET' && /^\/api\/(users|doors)$/.test(path)
    ? { items: [], page: { size: 50, totalElements: 0, totalPages: 0, pageNumber: 0 }, next: null }
    : undefined

test('§4 explorer: a recent refusal shows its time in a cell of its own, with the time at the site', async () => {
  const at = '2026-01-05T09:00:00.000Z'
  const places = { site: null, door: null, unit: null, user: null, credential: null, direction: 'entry' } as const
  const event = itemOf(events, {
    ...places,
    name: 'Denied',
    type: 'access.denied',
    category: 'access',
    severity: 'info',
    outcome: 'denied',
    reason: 'no_access',
    reasons: [],
    occurredAt: at,
    receivedAt: at,
    backfilled: false,
    policyVersion: 1,
    data: { names: { user: 'Nomsa Dlamini', door: 'Gate', timeZone: 'Asia/Tokyo' } },
  })
  await openConsole('rules/explorer', { answers: [holding(events, [event]), nothing] })
  const refusals = await screen.findByRole('region', { name: 'Recently denied: would it open now?' })
  const [row] = await within(refusals).findAllByRole('button')
  expect(row?.children).toHaveLength(4)
  expect(row?.lastElementChild?.textContent).toMatch(/ at the site|GMT\+9/)
})

test('§4 explorer: the choice between a user and a number has a label of its own', async () => {
  await openConsole('rules/explorer', { answers: [holding(events, []), nothing] })
  expect(await screen.findByRole('radiogroup', { name: 'Look up by' })).toBeTruthy()
})
