import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configuration, refusal } from '../routes/test-answers.ts'
import { openApp } from '../routes/test-app.tsx'

const open = (answers: Parameters<typeof openApp>[1] = []) => openApp('/authentication/login', answers)
const email = () => screen.findByLabelText('Email')
const password = () => screen.findByLabelText('Password')
const signIn = () => screen.getByRole('button', { name: 'Sign In' })

test('§2 login: Sign In is disabled while the form is invalid, and the hints name the missing fields', async () => {
  const { user } = await open()
  expect(await screen.findByText('Please enter your email and password.')).toBeTruthy()
  expect(signIn()).toHaveProperty('disabled', true)
  await user.type(await email(), 'somebody')
  await user.type(await password(), 'something')
  expect(await screen.findByText('Please enter a valid email.')).toBeTruthy()
  expect(signIn()).toHaveProperty('disabled', true)
  await user.type(await email(), '@example.com')
  expect(signIn()).toHaveProperty('disabled', false)
})

test('§2 login: Sign In is disabled while a request is in flight, and shows a spinner', async () => {
  const { promise: isHeld, resolve: respond } = Promise.withResolvers<Response>()
  const { user } = await open([({ path }) => (path === '/api/auth/login' ? isHeld : undefined)])
  await user.type(await email(), 'somebody@example.com')
  await user.type(await password(), 'something')
  await user.click(signIn())
  const button = document.querySelector('button[type=submit]')
  await waitFor(() => expect(button).toHaveProperty('disabled', true))
  expect(button?.querySelector('.mantine-Loader-root')).toBeTruthy()
  respond(refusal({ code: 'wrong_credentials' }))
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
})

test('§2 login: if the server cannot be reached, the page shows an error, and the user can try again', async () => {
  let tries = 0
  const { user } = await open([
    ({ path }) => {
      if (path !== '/api/auth/login') return undefined
      tries += 1
      if (tries === 1) throw new TypeError('Failed to fetch')
      return refusal({ code: 'wrong_credentials' })
    },
  ])
  await user.type(await email(), 'somebody@example.com')
  await user.type(await password(), 'something')
  await user.click(signIn())
  const alert = screen.getByRole('alert')
  await waitFor(() =>
    expect(alert.textContent).toBe('The server could not be reached. Check your connection and try again.'),
  )
  await user.click(signIn())
  await waitFor(() => expect(alert.textContent).toBe('The email or password is incorrect.'))
})

test('§7 the sign-in page requests the configuration once, at its start', async () => {
  const { user, sent } = await open([
    ({ path }) => (path === '/api/auth/login' ? refusal({ code: 'wrong_credentials' }) : undefined),
  ])
  await waitFor(() => expect(sent('GET', '/config')).toHaveLength(1))
  await user.type(await email(), 'somebody@example.com')
  await user.type(await password(), 'something')
  await user.click(signIn())
  await screen.findByText('The email or password is incorrect.')
  expect(sent('GET', '/config')).toHaveLength(1)
})

test.each(['/authentication/login', '/authentication/password-reset'])(
  '§4 cloud login: %s shows no local form where the configuration names the cloud provider',
  async (path) => {
    await openApp(path, [
      (request) => (request.path === '/config' ? { ...configuration, authenticationProvider: 'cognito' } : undefined),
    ])
    expect(await screen.findByText(/^This installation uses a cloud identity provider/)).toBeTruthy()
    expect(screen.queryByLabelText('Email')).toBeNull()
  },
)

test('§7 a failed configuration shows an error with Retry, and the form works without it', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  let isAnswering = false
  const { user } = await open([
    ({ path }) => (path === '/config' && !isAnswering ? refusal({ code: 'internal' }) : undefined),
    ({ path }) => (path === '/api/auth/login' ? refusal({ code: 'wrong_credentials' }) : undefined),
  ])
  await screen.findByText('The sign-in settings could not be loaded.')
  expect(String(logged.mock.calls)).toContain('GET /config failed')
  await user.type(await email(), 'somebody@example.com')
  await user.type(await password(), 'something')
  await user.click(signIn())
  await screen.findByText('The email or password is incorrect.')
  isAnswering = true
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.queryByText('The sign-in settings could not be loaded.')).toBeNull())
  logged.mockRestore()
})

test('§8 login failure: the user is signed out in all tabs', async () => {
  const otherTab = new BroadcastChannel('portcullis-session')
  onTestFinished(() => otherTab.close())
  const message = new Promise((resolve) => otherTab.addEventListener('message', ({ data }) => resolve(data)))
  const { user } = await open([
    ({ path }) => (path === '/api/auth/login' ? refusal({ code: 'wrong_credentials' }) : undefined),
  ])
  await user.type(await email(), 'somebody@example.com')
  await user.type(await password(), 'something')
  await user.click(signIn())
  expect(await message).toEqual({ kind: 'over' })
})

test.each([
  ['/authentication', '/authentication/login'],
  ['/authentication/nowhere', '/authentication/login'],
  ['/authentication/login/further', '/authentication/login'],
  ['/authentication/password-reset/only-a-user', '/authentication/login'],
  ['/main/authentication', '/main/authentication/login'],
  ['/main/authentication/nowhere/at/all', '/main/authentication/login'],
])('§2 an empty or unknown path of the authentication area redirects to login: %s', async (path, login) => {
  await openApp(path, [])
  expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy()
  expect(location.pathname).toBe(login)
})

test('§2 password-reset: the strength of a password is shown while it is typed', async () => {
  const { user } = await openApp('/authentication/password-reset/0198c0de-0000-7000-8000-000000000000/nothing', [])
  const both = async (typed: string) => {
    for (const name of ['New password', 'Confirm password']) {
      await user.clear(await screen.findByLabelText(name))
      await user.type(await screen.findByLabelText(name), typed)
    }
  }
  const reset = () => screen.getByRole('button', { name: 'Reset Password' })
  const strength = () => screen.findByRole('status', { name: 'Password strength' })
  await both('passwordpassword')
  await waitFor(async () => expect((await strength()).textContent).toBe('Very easy to guess'))
  expect(reset()).toHaveProperty('disabled', true)
  await both('seven quiet lighthouses')
  await waitFor(async () => expect((await strength()).textContent).toBe('Very hard to guess'))
  expect(reset()).toHaveProperty('disabled', false)
})
