import type { GuestAccess } from '@portcullis/contract/calls/guests'
import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, openApp } from '../routes/test-app.tsx'

const door = {
  _id: '0198c0de-0000-7000-8000-0000000000d1',
  name: 'Gate',
  site: 'Yard',
  timeZone: 'Africa/Johannesburg',
  command: null,
}
const access = {
  guest: 'Zoltán Szabó',
  invitedBy: 'Thandeka Mthembu',
  account: 'Harbour Group',
  from: '2026-11-19T06:00:00.000Z',
  until: '2026-11-19T16:00:00.000Z',
  doors: [door],
}

const confirmed = { _id: door._id, status: 'confirmed' as const, detail: null }
const unlocked = { state: 'active' as const, access: { ...access, doors: [{ ...door, command: confirmed }] } }
const openNow = 'The door is unlocked for a few seconds. Open it now.'

test('§5 guest: the page names the inviter, the doors and the hours at the site, and opens a door', async () => {
  const opened = { refused: null, access: unlocked }
  const { user, sent } = await open({ state: 'active', access }, opened)
  await screen.findByRole('heading', { name: 'Hello Zoltán Szabó' })
  await screen.findByText('Thandeka Mthembu of Harbour Group has given you access.')
  await screen.findByText(/08:00\s?–\s?18:00 \(Johannesburg time\)/)
  await user.click(screen.getByRole('button', { name: 'Open Gate' }))
  await screen.findByText(openNow)
  expect(sent('POST', '/api/guest/open').map(({ body }) => body)).toEqual([{ token: 'secret', door: door._id }])
  expect(sent('POST', '/api/guest/open')[0]?.headers.get('x-js-account')).toBe('null')
})

test('§5 guest: a door is no longer shown as unlocked once it locks again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const { user } = await open(unlocked, { refused: null, access: unlocked })
  await user.click(await screen.findByRole('button', { name: 'Open Gate' }))
  await screen.findByText(openNow)
  await vi.advanceTimersByTimeAsync(5_000)
  await waitFor(() => expect(screen.queryByText(openNow)).toBeNull())
})

test('§5 guest: a page that is opened later does not say that the door is unlocked', async () => {
  await open(unlocked)
  await screen.findByRole('button', { name: 'Open Gate' })
  expect(screen.queryByText(openNow)).toBeNull()
})

test.each([
  ['door_locked_down', 'This door is locked down.'],
  ['no_access', 'You have no access to this door.'],
])('§5 guest: a refusal for %s is explained at the door', async (refused, words) => {
  const { user } = await open({ state: 'active', access }, { refused, access: { state: 'active', access } })
  await user.click(await screen.findByRole('button', { name: 'Open Gate' }))
  expect(await screen.findByText(words)).toBeTruthy()
})

test('§5 guest: access that has not begun shows its doors, and opens none', async () => {
  await open({ state: 'upcoming', access })
  await screen.findByText('Not yet active')
  expect(screen.getByRole('button', { name: 'Open Gate' })).toHaveProperty('disabled', true)
})

test.each([
  ['ended', 'This access has ended'],
  ['withdrawn', 'This access was withdrawn'],
] as const)('§5 guest: access that is %s shows no doors', async (state, words) => {
  await open({ state, access: null })
  await screen.findByText(words)
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
})

function open(shown: GuestAccess, opened?: object) {
  const answers: Answer[] = [
    ({ path }) => (path === '/api/guest/access' ? shown : undefined),
    ({ path }) => (path === '/api/guest/open' ? opened : undefined),
  ]
  return openApp('/guest#secret', answers)
}
