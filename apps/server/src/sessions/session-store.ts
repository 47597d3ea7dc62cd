import { roles } from '@portcullis/contract/abilities'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { isEnforced } from './mfa-standing.ts'
import { tellSignIn } from './tell-sign-in.ts'
import { hashOfToken, makeToken } from './token.ts'

const membership = z.object({
  account: z.uuid(),
  key: z.int(),
  ref: z.string(),
  name: z.string(),
  role: z.enum(roles),
})

const sessionRow = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  img: z.string().nullable(),
  hyper: z.boolean(),
  verified: z.boolean(),
  idleTime: z.int(),
  consent: z.record(z.string(), z.string()),
  memberships: z.array(membership),
  /** Whether an account that they belong to asks for one-time codes. */
  mfaEnforced: z.boolean(),
  /** `isFresh`: they have shown who they are in the last ten minutes. */
  session: z.object({ _id: z.uuid(), owesCode: z.boolean(), isFresh: z.boolean() }),
})

/**
 * The person of a live session, with the memberships that are in force now, the oldest first: none in an account that is
 * suspended, or lies below one. Roles that are held above it go on.
 */
export type SessionPerson = z.output<typeof sessionRow>

/** Requests that are under way while a session changes its token come with the one before. */
const overlapSeconds = 30

type Opening = { person: string; address: string; device: string | undefined; code?: 'owed' | 'none' }

/**
 * Opens a session, and answers its token, which only the browser keeps; the database knows its hash. One that owes no code is
 * a sign-in, and told.
 */
export async function openSession(database: Database, { person, address, device, code = 'none' }: Opening) {
  const token = makeToken()
  const owes = code === 'owed'
  await database.asSystem(async (tx) => {
    // Locked, lest the idle time change unnoticed between here and the session's first moment.
    await tx.run(sql`insert into session (session_token_hash, session_person, session_address, session_device,
        session_owes_code, session_idle_time)
      select ${hashOfToken(token)}, person_id, ${address}, ${device?.slice(0, 300) ?? null}, ${owes}, person_idle_time
        from person where person_id = ${person} for share`)
    if (!owes) await tellSignIn(tx, { person, address, device })
  })
  return token
}

export function endSession(database: Database, token: string) {
  return database.asSystem((tx) =>
    tx.run(sql`update session set session_ended_at = now() where session_id = (
      select live_session_id from live_session where live_session_token_hash = ${hashOfToken(token)})`),
  )
}

type StepUp = {
  token: string
  /** Whether requests that are under way may still come with the old token, for a moment. */
  old: 'ends' | 'overlaps'
  /** Whether the code that a sign-in may owe was given. Without it nothing else stands for it. */
  code: 'given' | 'as before'
}

/**
 * Gives a session a new token, because the person has shown more of who they are: whoever knew the old one gains nothing.
 * Undefined where the session has ended, or has stepped up in the meantime.
 */
export async function stepUp(tx: Transaction, { token, old, code }: StepUp) {
  const next = makeToken()
  const hash = hashOfToken(token)
  const stepped = await tx.run(sql`update session
    set session_token_hash = ${hashOfToken(next)}, session_owes_code = session_owes_code and ${code !== 'given'}, session_confirmed_at = now(),
        session_last_activity_at = now(), session_tries = 0,
        session_previous_token_hash = ${old === 'ends' ? null : hash},
        session_previous_until = now() + make_interval(secs => ${overlapSeconds})
    where session_token_hash = ${hash} and session_id in (select open_session_id from open_session)`)
  return stepped === 1 ? next : undefined
}

export function findSessionPerson(database: Database, token: string) {
  return findPerson(database, sql`live_session_token_hash = ${hashOfToken(token)}`)
}

/** The same by the session's own id, for a connection that outlives the token with which it was opened. */
export function findPersonOfSession(database: Database, session: string) {
  return findPerson(database, sql`live_session_id = ${session} order by live_session_confirmed_at desc limit 1`)
}

/** Those of the sessions that are alive, all read at one moment. */
export async function findPeopleOfSessions(database: Database, sessions: readonly string[]) {
  const newestFirst = sql`live_session_id = any(${[...sessions]}::uuid[]) order by live_session_confirmed_at desc`
  const people = await database.asSystem((tx) => tx.rows(sessionRow, peopleOf(newestFirst)))
  return new Map(people.toReversed().map((person) => [person.session._id, person]))
}

function findPerson(database: Database, which: Sql) {
  return database.asSystem((tx) => tx.first(sessionRow, peopleOf(which)))
}

function peopleOf(which: Sql) {
  return sql`select person_id as _id, person_name as name, person_email as email, person_img as img,
             person_hyper as hyper, person_verified as verified, person_idle_time as "idleTime",
             person_consent as consent, ${isEnforced(sql`person_id`)} as "mfaEnforced",
             json_build_object('_id', live_session_id, 'owesCode', live_session_owes_code,
               'isFresh', live_session_confirmed_at > now() - interval '10 minutes') as session,
             coalesce((select json_agg(json_build_object('account', account_id, 'key', account_key, 'ref', account_ref,
                         'name', account_name, 'role', membership_role) order by membership_created_at, account_key)
                         from membership join account on account_key = membership_account
                        where membership_user = person_id and ${isInForce}), '[]') as memberships
            from live_session join person on person_id = live_session_person
           where not (${isSuspended}) and ${which}`
}

const isUnderSuspended = sql`exists (
    select from account_closure upward join account above on above.account_key = upward.account_closure_ancestor
     where upward.account_closure_descendant = membership_account and above.account_status = 'suspended')`

/** Of a membership: it counts now, and no account from its own upward is suspended. */
export const isInForce = sql`
  membership_status = 'active'
    and (membership_valid_from is null or membership_valid_from <= now())
    and (membership_valid_until is null or membership_valid_until > now())
    and not ${isUnderSuspended}`

/**
 * Has memberships, and not one that is active in an account that is. Their sessions end with the last one; one that was being
 * opened at that moment did not see it end, nor did it see that one.
 */
export const isSuspended = sql`
  not person_hyper and exists (select from membership where membership_user = person_id)
    and not exists (select from membership
                     where membership_user = person_id and membership_status = 'active' and not ${isUnderSuspended})`

/** Forgets sessions that nobody can have used for a month: what is told of sign-ins, events tell; and the log, of accounts acted inside. */
export function pruneSessions(database: Database) {
  return database.asSystem(async (tx) => {
    tx.send(sql`delete from assumption where assumption_ended_at < now() - interval '30 days'`)
    await tx.run(sql`delete from session where session_created_at < now() - interval '30 days'`)
  })
}
