import type { Call } from '@portcullis/contract/call'
import { login } from '@portcullis/contract/calls/authentication'
import { mfaSignIn } from '@portcullis/contract/calls/mfa'
import { ApiError, apiErrorOf } from './api-error.ts'
import { createClient } from './client.ts'

type SignInOptions = {
  baseUrl: string
  email: string
  password: string
  account?: () => string | null
  /** Returns the current one-time code, for users who sign in with codes. */
  code?: () => string
}

/**
 * Signs in a program that runs outside a browser and returns its client. `headers` carries the session, for the
 * real-time channel. Without `client.activity()` the session ends a minute after its user's idle time. Throws an
 * `ApiError` if the server refuses.
 */
export async function signedInClient({ baseUrl, email, password, code, account = () => null }: SignInOptions) {
  const first = await signIn({ baseUrl, call: login, body: { email, password, type: 'Local' }, cookie: '' })
  if (first.mfa && !code) {
    throw new ApiError({ status: 403, code: 'code_owed', message: 'This user also needs a one-time code to sign in.' })
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
