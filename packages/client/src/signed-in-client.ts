import type { Call } from '@portcullis/contract/call'
import { login } from '@portcullis/contract/calls/authentication'
import { mfaSignIn } from '@portcullis/contract/calls/mfa'
import { ApiError, apiErrorOf } from './api-error.ts'
import { createClient } from './client.ts'

type Asked = {
  baseUrl: string
  email: string
  password: string
  account?: () => string | null
  /** The one-time code of now, where codes are asked of this user. */
  code?: () => string
}

/**
 * Signs a program in that runs outside a browser, and answers its client. `headers` carries the session, for the
 * real-time channel; it ends a minute after its user's idle time without `client.activity()`. Throws an `ApiError` where the
 * server refuses.
 */
export async function signedInClient({ baseUrl, email, password, code, account = () => null }: Asked) {
  const first = await signIn({ baseUrl, call: login, body: { email, password, type: 'Local' }, cookie: '' })
  if (first.mfa && !code) {
    throw new ApiError({ status: 403, code: 'code_owed', message: 'This user signs in with a one-time code besides.' })
  }
  const { currentUser, cookie } =
    first.mfa && code ? await signIn({ baseUrl, call: mfaSignIn, body: { code: code() }, cookie: first.cookie }) : first
  const headers = { cookie }
  return { client: createClient({ baseUrl, account, headers: () => headers }), currentUser, headers }
}

async function signIn({ baseUrl, call, body, cookie }: { baseUrl: string; call: Call; body: unknown; cookie: string }) {
  const response = await fetch(`${baseUrl}${call.path}`, {
    method: call.method,
    headers: { 'content-type': 'application/json', 'x-js-account': 'null', cookie },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw await apiErrorOf(response)
  const { currentUser, mfa } = login.output.parse(await response.json())
  return { currentUser, mfa, cookie: response.headers.getSetCookie().map(withoutAttributes).join('; ') }
}

function withoutAttributes(cookie: string) {
  return cookie.split(';', 1)[0] ?? ''
}
