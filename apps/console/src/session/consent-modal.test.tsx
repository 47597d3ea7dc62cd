import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hyperUser, signedInAs } from '../routes/test-answers.ts'
import { openApp } from '../routes/test-app.tsx'

test('§8 consent save failure: it is only logged, and Accept was restored', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  let isAnswering = false
  const hasNotAgreed = { ...hyperUser, user: { ...hyperUser.user, consent: {} } }
  const { user, sent } = await openApp('/main/contacts/list', [
    ({ method, path }) => {
      if (method !== 'PATCH' || path !== '/api/users/me') return undefined
      return isAnswering ? hyperUser : new Response('', { status: 503 })
    },
    signedInAs(hasNotAgreed),
  ])
  const modal = await screen.findByRole('dialog', { name: 'Updated Policies' })
  await user.click(screen.getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(String(logged.mock.calls)).toContain('Consent was not saved'))
  expect(modal.querySelector('[role=alert]')).toBeNull()
  isAnswering = true
  await user.click(screen.getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Updated Policies' })).toBeNull())
  expect(sent('PATCH', '/api/users/me')).toHaveLength(2)
  logged.mockRestore()
})
