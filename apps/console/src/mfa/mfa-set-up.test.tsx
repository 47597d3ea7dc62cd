import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hyperUser } from '../routes/test-answers.ts'
import { type Answer, openApp } from '../routes/test-app.tsx'

test('§8 MFA set-up: a reply without image or key is only logged, and can be requested again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  let isEmpty = true
  const setUp: Answer = ({ path }) => {
    if (path !== '/api/users/mfasetup') return undefined
    return isEmpty
      ? { qrImage: '', key: '' }
      : { qrImage: 'data:image/png;base64,iVBORw0KGgo=', key: 'JBSWY3DPEHPK3PXP' }
  }
  const owesCode: Answer = ({ path }) =>
    path === '/api/auth/login'
      ? { verified: true, mfa: true, mfaEnrolled: false, currentUser: hyperUser.user }
      : undefined
  const { user } = await openApp('/authentication/login', [setUp, owesCode])
  await user.type(await screen.findByLabelText('Email'), 'admin@portcullis.example')
  await user.type(await screen.findByLabelText('Password'), 'something')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  const showQr = await screen.findByRole('button', { name: 'Show QR' })
  await user.click(showQr)
  await waitFor(() => expect(String(logged.mock.calls)).toContain('Setup failed'))
  expect(screen.queryByRole('img', { name: 'QR code of the key' })).toBeNull()
  isEmpty = false
  await user.click(showQr)
  expect(await screen.findByRole('img', { name: 'QR code of the key' })).toBeTruthy()
  expect(showQr).toHaveProperty('disabled', true)
  logged.mockRestore()
})
