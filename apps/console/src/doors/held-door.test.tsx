import type { DoorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const site = itemOf(sites, { name: 'Cold store', timeZone: 'UTC' })
const unit = itemOf(units, { name: 'North', serial: 'PC-1', site: site._id })
const since = '2026-01-05T09:00:00.000Z'
const inOneHour = new Date(Date.now() + 3_600_000).toISOString()
const freezer = itemOf(doors, {
  name: 'Freezer 4',
  site: site._id,
  unit: unit._id,
  unitDoor: 1,
  state: 'closed',
  mode: 'unlocked',
  modeUntil: inOneHour,
  modeVersion: 1,
  appliedModeVersion: 1,
  modeAppliedAt: since,
})

function interlocked(lock: DoorInterlocks['lock']): DoorInterlocks {
  const other = itemOf(doors, { name: 'Freezer 5', site: site._id })
  const members = [
    { ...freezer, unit: unit._id, state: 'secure' as const, fault: null },
    { ...other, unit: other._id, state: 'unknown' as const, fault: 'offline' as const },
  ]
  return { lock, interlocks: [{ _id: other._id, name: 'Freezers', isShared: true, doors: members }] }
}

const ended = { requestedAt: since, expiresAt: since, sentAt: since, endedAt: since }
const refused = {
  _id: unit._id,
  door: freezer._id,
  action: 'unlockOnce',
  status: 'refused',
  detail: 'interlock_unavailable',
  ...ended,
}

const openSite = (answer: DoorInterlocks) =>
  openConsole(`sites/${site._id}`, {
    answers: [
      ({ path }) => (path === `/api/doors/${freezer._id}/interlocks` ? answer : undefined),
      ({ path }) => (/unlockOnce$|\/commands\//.test(path) ? refused : undefined),
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [unit]),
      holding(sites, [site]),
      holding(doors, [freezer]),
    ],
  })

test.each([
  ['locked', /Kept locked.*Locked by the interlock with .?Freezer 5/],
  ['unknown', /Set to unlocked.*Unlocks only while .?Freezer 5.? is closed and locked/],
  ['unlocked', /Held unlocked/],
] as const)('a door of an interlock that is held unlocked and in fact %s shows that', async (lock, words) => {
  await openSite(interlocked(lock))
  const row = (await screen.findByText('Freezer 4')).closest('tr, [role=row]')
  await expect.poll(() => row?.textContent).toMatch(words)
  if (lock !== 'unlocked') expect(row?.textContent).not.toContain('Held unlocked')
})

test('a held door whose interlock the user does not see is not shown as released', async () => {
  await openSite({ lock: 'unknown', interlocks: [] })
  await screen.findByText('Set to unlocked')
  expect(screen.queryByText('Held unlocked')).toBeNull()
})

test('before a hold, the dialog shows what it does to the other doors of the interlock, and how they are now', async () => {
  const { user } = await openSite(interlocked('locked'))
  await user.click(await screen.findByRole('button', { name: 'More commands for Freezer 4' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Hold unlocked until…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Hold Freezer 4 unlocked' })
  await within(dialog).findByText(/neither cards nor Unlock once open the others/)
  const others = within(dialog).getByRole('list', { name: 'Other doors of the interlock now' })
  expect(others.textContent).toBe('Freezer 5Not reportedIts controller is offline')
})

test('a door without an interlock is held unlocked, and its dialog has nothing about interlocks', async () => {
  const { user } = await openSite({ lock: 'unlocked', interlocks: [] })
  await screen.findByText('Held unlocked')
  await user.click(await screen.findByRole('button', { name: 'More commands for Freezer 4' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Hold unlocked until…' }))
  expect((await screen.findByRole('dialog')).textContent).not.toContain('nterlock')
})

test('where an interlock refuses Unlock once, the reason is followed by the other doors as they are now', async () => {
  const { user } = await openSite(interlocked('locked'))
  await user.click(await screen.findByRole('button', { name: 'Unlock once' }))
  await screen.findByText('It was not known whether the other doors were closed')
  const others = await screen.findByRole('list', { name: 'Other doors of the interlock now' })
  expect(others.textContent).toBe('Freezer 5Not reportedIts controller is offline')
})
