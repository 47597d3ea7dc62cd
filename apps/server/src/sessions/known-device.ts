import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { isSecure } from './session-cookie.ts'
import { hashOfToken, isToken, makeToken } from './token.ts'

/** Browsers keep a cookie for at most 400 days. */
const days = 400

/** The hash of the browser's device cookie, if it has one. */
export function deviceHash(cookies: Record<string, string | undefined>) {
  const token = cookies[cookieName(true)] ?? cookies[cookieName(false)]
  return token && isToken(token) ? hashOfToken(token) : undefined
}

type CookieInput = { request: FastifyRequest; reply: FastifyReply; publicUrl: string | undefined }

/**
 * Remembers that the user has signed in with this browser, and replaces its device cookie: a planted one becomes
 * useless. Other users who have signed in with the browser stay known.
 */
export async function rememberDevice(database: Database, { person, ...cookieInput }: CookieInput & { person: string }) {
  const token = makeToken()
  const [hash, old] = [hashOfToken(token), deviceHash(cookieInput.request.cookies)]
  await database.asSystem(async (tx) => {
    if (old) {
      await tx.run(
        sql`delete from known_device where known_device_token_hash = ${old} and known_device_person = ${person}`,
      )
      await tx.run(
        sql`update known_device set known_device_token_hash = ${hash} where known_device_token_hash = ${old}`,
      )
    }
    await tx.run(
      sql`insert into known_device (known_device_token_hash, known_device_person) values (${hash}, ${person})`,
    )
  })
  const secure = isSecure(cookieInput.request, cookieInput.publicUrl)
  const maxAge = days * 86_400
  cookieInput.reply.setCookie(cookieName(secure), token, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}

export function pruneDevices(database: Database) {
  return database.asSystem((tx) =>
    tx.run(sql`delete from known_device where known_device_used_at < now() - make_interval(days => ${days})`),
  )
}

function cookieName(secure: boolean) {
  return secure ? '__Host-portcullis-device' : 'portcullis-device'
}
