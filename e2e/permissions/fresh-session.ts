import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { openSession } from '@portcullis/server/sessions/session-store'
import { hashOfToken } from '@portcullis/server/sessions/token'
import { canaryOf } from './marks.ts'
import type { Attempt } from './probe.ts'
import type { World } from './world.ts'

/** The cookie of a new session, for calls that require a recent sign-in, or that end or change their session. */
export async function freshCookie(world: World, { persona }: Pick<Attempt, 'persona'>) {
  return persona.cookie === undefined ? {} : { cookie: cookieWith(await tokenFor(world, persona.userId)) }
}

/** The cookie of a new session in which the user has not confirmed their identity for an hour. */
export async function staleCookie(world: World, { persona }: Pick<Attempt, 'persona'>) {
  if (persona.cookie === undefined) return {}
  const token = await tokenFor(world, persona.userId)
  await world.server.database.asSystem((tx) =>
    tx.run(sql`update session set session_confirmed_at = now() - interval '1 hour'
      where session_token_hash = ${hashOfToken(token)}`),
  )
  return { cookie: cookieWith(token) }
}

/** The `_id` of a new session of this user. */
export async function sessionOf(world: World, person: string) {
  const hash = hashOfToken(await tokenFor(world, person))
  const found = await world.server.database.asSystem((tx) =>
    tx.first(z.object({ id: z.uuid() }), sql`select session_id as id from session where session_token_hash = ${hash}`),
  )
  return found?.id ?? ''
}

/** The cookie of a new user with only this session, for requests that should succeed. */
export async function cookieOfNewUser(world: World, { succeeds }: Pick<Attempt, 'succeeds'>) {
  return succeeds ? { cookie: await personOfTheirOwn(world) } : {}
}

/** The cookie of a new user. */
export async function personOfTheirOwn(world: World) {
  const [person, home] = [uuidv7(), world.keyOf('own')]
  await world.server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into person (person_id, person_home, person_name, person_email, person_verified)
      values (${person}, ${home}, ${canaryOf('own')}, ${`${person}@people.example`}, true)`)
    await tx.run(sql`insert into membership (membership_user, membership_account) values (${person}, ${home})`)
  })
  return cookieWith(await tokenFor(world, person))
}

/** Without the event of a sign-in, because the matrix knows how many events there are. */
async function tokenFor(world: World, person: string) {
  const { database } = world.server
  const token = await openSession(database, { person, address: '127.0.0.1', device: undefined, code: 'owed' })
  await database.asSystem((tx) =>
    tx.run(sql`update session set session_owes_code = false where session_token_hash = ${hashOfToken(token)}`),
  )
  return token
}

function cookieWith(token: string) {
  return `portcullis=${token}`
}
