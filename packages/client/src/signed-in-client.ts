import { login } from '@portcullis/contract/calls/authentication'
import { apiErrorOf } from './api-error.ts'
import { createClient } from './client.ts'

type Asked = { baseUrl: string; email: string; password: string; account?: () => string | null }

/**
 * Signs a program in that runs outside a browser, and answers its client. `headers` carries the session, for the
 * real-time channel. Throws an `ApiError` where the server refuses.
 */
export async function signedInClient({ baseUrl, email, password, account = () => null }: Asked) {
  const response = await fetch(`${baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-js-account': 'null' },
    body: JSON.stringify({ email, password, type: 'Local' }),
  })
  if (!response.ok) throw await apiErrorOf(response)
  const { currentUser } = login.output.parse(await response.json())
  const headers = { cookie: response.headers.getSetCookie().map(withoutAttributes).join('; ') }
  return { client: createClient({ baseUrl, account, headers: () => headers }), currentUser, headers }
}

function withoutAttributes(cookie: string) {
  return cookie.split(';', 1)[0] ?? ''
}
