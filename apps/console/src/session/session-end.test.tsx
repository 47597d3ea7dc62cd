import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

test('§8 HTTP 401 on any request logs the user out, and keeps the return URL', async () => {
  const ended: Answer = ({ path }) => (path === '/api/contacts' ? refusal({ code: 'session_ended' }) : undefined)
  await openConsole('contacts/list', { answers: [ended] })
  expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy()
  await waitFor(() => expect(location.pathname).toBe('/authentication/login'))
  expect(new URLSearchParams(location.search).get('returnUrl')).toBe('/main/contacts/list')
})

test('§8 any other request error is logged, with the request and the code', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const refused: Answer = ({ path }) => (path === '/api/contacts' ? refusal({ code: 'bad_request' }) : undefined)
  await openConsole('contacts/list', { answers: [refused] })
  const logged = ['GET /api/contacts failed', expect.objectContaining({ code: 'bad_request' })]
  await waitFor(() => expect(log.mock.calls).toContainEqual(logged))
})
