import type { Me } from '@portcullis/contract/calls/authentication'
import type { OwnSession } from '@portcullis/contract/calls/own-sessions'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hyperUser, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

test('§4 sessions: a list that could not be loaded shows the reference for support, and Retry loads it', async () => {
  let isDown = true
  const down: Answer = ({ path }) =>
    isDown && path === '/api/users/me/sessions' ? refusal({ code: 'internal' }) : undefined
  const { user } = await open('sessions', { answers: [down, ownSessions] })
  const section = await screen.findByRole('region', { name: 'Where you are signed in' })
  const alert = await within(section).findByText('This could not be loaded')
  expect(alert.closest('[role=alert]')?.textContent).toContain('Reference for support: test')
  isDown = false
  await user.click(within(section).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(2))
})

test('§4 fresh sign-in: a user who closes the question stays on the same screen, and nothing is changed', async () => {
  const fresh: Answer = ({ method }) => (method === 'POST' ? refusal({ code: 'fresh_sign_in_needed' }) : undefined)
  const { user, sent } = await open('sessions', { answers: [activity, fresh, ownSessions] })
  await user.click(await screen.findByRole('button', { name: 'End all others' }))
  const end = await screen.findByRole('dialog', { name: 'End all other sessions?' })
  await user.click(within(end).getByRole('button', { name: 'End all others' }))
  const question = await screen.findByRole('dialog', { name: 'Please confirm that it is you' })
  expect(within(question).queryByRole('textbox', { name: 'Verification code' })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Please confirm that it is you' })).toBeNull())
  expect(within(end).getByRole('button', { name: 'End all others' })).toHaveProperty('disabled', false)
  expect(sent('POST', '/api/auth/confirm')).toEqual([])
  expect(sent('POST', '/api/users/me/sessions/endOthers')).toHaveLength(1)
})

test('§4 MFA: if an account requires it, it cannot be turned off, and the screen shows why', async () => {
  const mfa = { enrolled: true, enabled: true, enforced: true, recoveryCodesLeft: 10 }
  await open('mfa', { as: { ...hyperUser, mfa } })
  const section = await screen.findByRole('region', { name: 'Two-factor authentication' })
  await waitFor(() => expect(section.textContent).toContain('you cannot turn this off'))
  expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull()
})

test('§4 MFA: where no account enforces it, turning it off is offered', async () => {
  const mfa = { enrolled: true, enabled: true, enforced: false, recoveryCodesLeft: 10 }
  await open('mfa', { as: { ...hyperUser, mfa } })
  expect(await screen.findByRole('button', { name: 'Turn off' })).toBeTruthy()
})

type Options = { as?: Me; answers?: readonly Answer[] }

function open(tab: string, options: Options = {}) {
  return openConsole(`users/settings?tab=${tab}`, options)
}

const at = '2026-01-05T09:00:00.000Z'
const sessions: OwnSession[] = [true, false].map((current, index) => ({
  _id: `0198c0de-0000-7000-8000-00000000020${index}`,
  current,
  address: '192.0.2.1',
  device: null,
  signedInAt: at,
  lastActivityAt: at,
}))

const ownSessions: Answer = ({ path }) => {
  if (path === '/api/users/me/sessions') return sessions
  return path === '/api/users/me/signIns' ? [] : undefined
}

/** Activity is not a change that needs a fresh sign-in. */
const activity: Answer = ({ path }) =>
  path === '/api/auth/activity' ? { endsAt: at.replace('2026', '2099') } : undefined
