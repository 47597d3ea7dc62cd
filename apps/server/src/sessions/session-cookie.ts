import type { FastifyReply, FastifyRequest } from 'fastify'
import { isToken } from './token.ts'

/** Behind TLS the cookie is bound to the host by its name; browsers refuse that name without TLS. */
function cookieName(isSecure: boolean) {
  return isSecure ? '__Host-portcullis' : 'portcullis'
}

/**
 * Behind TLS only the host-bound cookie counts: a page of a sibling host, or one without TLS, could plant the other.
 */
export function readSessionToken(cookies: Record<string, string | undefined>, publicUrl: string | undefined) {
  const isBehindTls = publicUrl?.startsWith('https:') === true
  const token = cookies[cookieName(true)] ?? (isBehindTls ? undefined : cookies[cookieName(false)])
  return token && isToken(token) ? token : undefined
}

type CookieInput = { request: FastifyRequest; reply: FastifyReply; publicUrl: string | undefined }

export function setSessionCookie({ request, reply, publicUrl }: CookieInput, token: string) {
  const secure = isSecure(request, publicUrl)
  reply.setCookie(cookieName(secure), token, { path: '/', httpOnly: true, sameSite: 'lax', secure })
}

export function clearSessionCookie({ request, reply, publicUrl }: CookieInput) {
  const secure = isSecure(request, publicUrl)
  reply.clearCookie(cookieName(secure), { path: '/', httpOnly: true, sameSite: 'lax', secure })
}

/**
 * After a sign-out the browser keeps no picture or page of an account, also not for the Back button. Cookies and storage
 * stay: they hold the known device and what a user chose to keep (decision 0110). Browsers ignore the header elsewhere.
 */
export function clearSiteCache({ request, reply, publicUrl }: CookieInput) {
  const { hostname } = request
  const isLocal = hostname === '127.0.0.1' || hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isLocal || isSecure(request, publicUrl)) reply.header('clear-site-data', '"cache"')
}

/** TLS usually ends at a proxy before this server: then only the public URL shows it. */
export function isSecure({ protocol }: FastifyRequest, publicUrl: string | undefined) {
  return protocol === 'https' || publicUrl?.startsWith('https:') === true
}
