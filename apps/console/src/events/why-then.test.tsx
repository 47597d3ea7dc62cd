import type { WhyThen } from '@portcullis/contract/calls/why-then'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'
import { sampleEvent } from './sample-event.ts'

const event = sampleEvent({ outcome: 'denied', reason: 'denied_by_rule' })
const id = itemOf(sites, { name: 'Night shift', timeZone: 'UTC' })._id
const entry = itemOf(sites, { name: 'Entry', timeZone: 'UTC' })._id
const denied = { step: 'deny_rule', outcome: 'refused', reason: 'denied_by_rule', facts: {} } as const
const lift = { code: 'lift_deny_rule', of: { kind: 'rule', _id: id, name: 'Night shift' } } as const
const answer: WhyThen = {
  at: event.occurredAt,
  obstacle: null,
  historyFrom: null,
  decision: {
    verdict: 'deny',
    reason: 'denied_by_rule',
    findings: [{ ...denied, things: [], change: lift }],
  },
  serverDecision: null,
  now: { at: event.occurredAt, verdict: 'grant', reason: null },
  changes: [],
  moreChanges: 0,
}

async function opened(answers: () => unknown) {
  const { user } = await openConsole(`events/list?event=${event._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) => (path === `/api/events/${event._id}/whyThen` ? answers() : undefined),
      holding(doors, []),
      holding(events, [event]),
    ],
  })
  return { user, section: within(await screen.findByRole('region', { name: 'At that time' })) }
}

test('what would have opened the door and each change since are shown, with links to the audit log', async () => {
  const change = { kind: 'rule', _id: id, name: 'Night shift', at: event.occurredAt, actorName: 'Ada' } as const
  const changes: WhyThen['changes'] = [
    { ...change, action: 'delete', fields: [], isUndo: false, entry },
    { ...change, action: 'patch', fields: ['direction', 'schedule'], isUndo: true, entry: null },
  ]
  const { section } = await opened(() => ({ ...answer, changes, moreChanges: 2 }))
  const needed = await section.findByRole('list', { name: 'Would have opened with' })
  // One element, so that its parts stay on one line.
  expect([...needed.children].map((item) => item.childElementCount)).toEqual([1])
  expect(needed.textContent).toBe('Remove the user from Night shift, or disable it.')
  const list = within(section.getByRole('list', { name: 'Changed since' }))
  const [deleted, undone, more] = list.getAllByRole('listitem')
  expect(deleted?.textContent).toMatch(/^Rule Night shift was deleted.*by AdaShow in the audit log$/)
  expect(undone?.textContent).toMatch(/^Rule Night shift was changed: Direction, Schedule.*by an undo, by Ada$/)
  expect(more?.textContent).toBe('and 2 more changes, which you cannot see here')
  expect(list.getByRole('link').getAttribute('href')).toContain(`/auditLogs/list?entry=${entry}`)
  expect(section.getByText(/Now the door would open\./)).toBeTruthy()
})

test('without a change since, the section says so', async () => {
  const { section } = await opened(() => answer)
  expect(await section.findByText('Nothing that matters here has changed since.')).toBeTruthy()
})

test('a controller that was out of sync is named, with the checks by its policy', async () => {
  const serverDecision = { verdict: 'grant', reason: null, findings: [] } as const
  const found = { ...answer, historyFrom: event.occurredAt, serverDecision: { ...serverDecision, findings: [] } }
  const { section } = await opened(() => found)
  expect(await section.findByText(/would have granted access/)).toBeTruthy()
  expect(section.getByText(/The audit log begins/)).toBeTruthy()
  expect(section.getByRole('list', { name: 'Check by check' })).toBeTruthy()
})

test('an event that cannot be evaluated says why', async () => {
  const { section } = await opened(() => ({ ...answer, obstacle: 'no_credential', decision: null, now: null }))
  expect(await section.findByText(/No known credential was presented/)).toBeTruthy()
})

test('after a failure the section can be loaded again', async () => {
  let isBroken = true
  const { user, section } = await opened(() => (isBroken ? refusal({ code: 'unavailable' }) : answer))
  const retry = await section.findByRole('button', { name: 'Retry' })
  isBroken = false
  await user.click(retry)
  expect(await section.findByText('Nothing that matters here has changed since.')).toBeTruthy()
})
