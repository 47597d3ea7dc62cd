import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const plan = itemOf(lockdownPlans, { name: 'Everything', places: [] })
const startedAt = '2026-01-05T06:20:00.000Z'
const endedAt = '2026-01-05T06:50:00.000Z'
const lockdown = itemOf(lockdowns, {
  name: 'Everything',
  plan: plan._id,
  startedAt,
  startedBy: plan._id,
  startedByName: 'Ada Botha',
  endsAt: endedAt,
  endedAt,
  endedBy: plan._id,
  endedByName: 'Ben Dube',
  mayPass: [{ _id: plan._id, name: 'Security' }],
})

const openLockdown = (fields: Partial<typeof lockdown>, options: Parameters<typeof openConsole>[1] = {}) =>
  openConsole(`rules/lockdowns/${lockdown._id}`, {
    ...options,
    answers: [holding(lockdowns, [{ ...lockdown, ...fields }]), holding(auditLogs, [])],
  })

test('a lockdown that has ended shows who started and ended it and when, and not that all doors have returned', async () => {
  await openLockdown({})
  const main = (await screen.findByText('The lockdown Everything has ended.')).closest('main')
  expect(main?.textContent).toMatch(/Started 5 Jan.* by .?Ada Botha.*Ended 5 Jan.* by .?Ben Dube/)
  expect(main?.textContent).toContain('Members of Security still pass')
  expect(main?.textContent).toMatch(/returns to its earlier mode when its controller confirms it/)
  expect([...(main?.querySelectorAll('time') ?? [])].map((time) => time.dateTime)).toEqual([startedAt, endedAt])
  const log = screen.getByRole('link', { name: 'Show in the audit log' })
  expect(log.getAttribute('href')).toMatch(new RegExp(`/auditLogs/list\\?item=${lockdown._id}&of=lockdowns$`))
})

test('a lockdown that ended by itself names no user, and has no link for users who may not see the audit log', async () => {
  const as = userWith([{ action: 'view', subject: 'Access Control' }])
  await openLockdown({ endedBy: null, endedByName: null }, { as })
  const main = (await screen.findByText('The lockdown Everything has ended.')).closest('main')
  expect(main?.textContent).toMatch(/Ended 5 Jan.*, at its set time\./)
  expect(screen.queryByRole('link', { name: 'Show in the audit log' })).toBeNull()
})

test('the list shows who started and ended each lockdown, and opens one', async () => {
  const own = { ...lockdown, _id: plan._id, name: 'Cold store', endsAt: null, endedBy: null }
  const rows = [{ ...own, endedAt: null, endedByName: null }, lockdown]
  const { user } = await openConsole('rules/lockdowns', { answers: [holding(lockdowns, rows)] })
  const row = (name: string) => screen.getByText(name).closest('tr, [role=row]')
  await screen.findByText('Cold store')
  expect(row('Cold store')?.textContent).toMatch(/^Cold store5 Jan.*Ada BothaLocked down$/)
  expect(row('Everything')?.textContent).toMatch(/^Everything5 Jan.*Ada Botha5 Jan.*Ben Dube$/)
  await user.click(screen.getByText('Everything'))
  await screen.findByText('The lockdown Everything has ended.')
})
