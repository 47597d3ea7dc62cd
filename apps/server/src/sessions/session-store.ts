import { roles } from '@portcullis/contract/abilities'
import { language } from '@portcullis/contract/names'
import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { isEnforced } from './mfa-standing.ts'
import { recordSignIn } from './record-sign-in.ts'
import { hashOfToken, makeToken } from './token.ts'

const membership = z.object({
  account: z.uuid(),
  key: z.int(),
  ref: z.string(),
  name: z.string(),
  role: z.enum(roles),
})

export const sessionPerson = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  img: z.string().nullable(),
  hyper: z.boolean(),
  verified: z.boolean(),
  idleTime: z.int(),
  language: language().nullable(),
  consent: z.record(z.string(), z.string()),
  memberships: z.array(membership),
  /** Whether an account of the user enforces one-time codes: users are notified when that changes. */
  mfaEnforced: z.boolean(),
  /** `freshUntil`: ten minutes after the user signed in or confirmed their identity; null if that is over. */
  session: z.object({ _id: z.uuid(), owesCode: z.boolean(), freshUntil: z.iso.datetime({ offset: true }).nullable() }),
})

/**
 * The user of a live session with their current memberships, oldest first. Memberships in a suspended account, or below
 * one, are left out; those above it remain.
 */
export type SessionPerson = z.output<typeof sessionPerson>

/** Requests in flight while a session changes its token still carry the previous one. */
const overlapSeconds = 30

type OpenSessionInput = { person: string; address: string; device: string | undefined; code?: 'owed' | 'none' }

/**
 * Opens a session, and returns its token, which only the browser keeps; the database stores its hash. A session that
 * owes no code is recorded as a sign-in.
 */
export async function openSession(database: Database, { person, address, device, code = 'none' }: OpenSessionInput) {
  const token = makeToken()
  const owes = code === 'owed'
  await database.asSystem(async (tx) => {
    // The lock keeps a concurrent change of the idle time from missing this session.
    await tx.run(sql`insert into session (session_token_hash, session_person, session_address, session_device,
        session_owes_code, session_idle_time)
      select ${hashOfToken(token)}, person_id, ${address}, ${device?.slice(0, 300) ?? null}, ${owes}, person_idle_time
        from person where person_id = ${person} for share`)
    if (!owes) await recordSignIn(tx, { person, address, device })
  })
  return token
}

export function endSession(database: Database, token: string) {
  return database.asSystem((tx) =>
    tx.run(sql`update session set session_ended_at = now() where session_id = (
      select live_session_id from live_session where live_session_token_hash = ${hashOfToken(token)})`),
  )
}

type StepUpInput = {
  token: string
  /** Whether requests in flight may still use the old token for 30 s. */
  old: 'ends' | 'overlaps'
  /** Whether the user has given the missing code. Only this completes a sign-in that needs one. */
  code: 'given' | 'as before'
}

/**
 * Gives a session a new token after its user has confirmed their identity, so that a stolen old token gains nothing.
 * Returns undefined if the session has ended or has stepped up concurrently.
 */
export async function stepUp(tx: Transaction, { token, old, code }: StepUpInput) {
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
  return findPerson(database, hasToken(hashOfToken(token)))
}

/** Finds the user by the session's id, for a connection that outlives the token which opened it. */
export function findPersonOfSession(database: Database, session: string) {
  return findPerson(database, sql`live_session_id = ${session} order by live_session_confirmed_at desc limit 1`)
}

/** The users of those sessions that are live, in one read. */
export async function findPeopleOfSessions(database: Database, sessions: readonly string[]) {
  const newestFirst = sql`live_session_id = any(${[...sessions]}::uuid[]) order by live_session_confirmed_at desc`
  const people = await database.rows(sessionPerson, peopleOf(newestFirst))
  return new Map(people.toReversed().map((person) => [person.session._id, person]))
}

/** The condition that a session has this token. */
export function hasToken(tokenHash: Buffer) {
  return sql`live_session_token_hash = ${tokenHash}`
}

function findPerson(database: Database, condition: Sql) {
  return database.first(sessionPerson, prepared(peopleOf(condition)))
}

/** Reads the users of those live sessions, with further columns that depend on `person_id`. */
export function peopleOf(condition: Sql, further = empty) {
  return sql`select person_id as _id, person_name as name, person_email as email, person_img as img,
             person_hyper as hyper, person_verified as verified, person_idle_time as "idleTime",
             person_language as language,
             person_consent as consent, ${isEnforced(sql`person_id`)} as "mfaEnforced",
             json_build_object('_id', live_session_id, 'owesCode', live_session_owes_code,
               'freshUntil', case when live_session_confirmed_at > now() - interval '10 minutes'
                                  then live_session_confirmed_at + interval '10 minutes' end) as session,
             coalesce((select json_agg(json_build_object('account', account_id, 'key', account_key, 'ref', account_ref,
                         'name', account_name, 'role', membership_role) order by membership_created_at, account_key)
                         from membership join account on account_key = membership_account
                        where membership_user = person_id and ${isMembershipActive}), '[]') as memberships
             ${further}
            from live_session join person on person_id = live_session_person
           where not (${isSuspended}) and ${condition}`
}

const isUnderSuspended = sql`exists (
    select from account_closure upward join account above on above.account_key = upward.account_closure_ancestor
     where upward.account_closure_descendant = membership_account and above.account_status = 'suspended')`

/** Of a membership: it is accepted and valid now, and its account and all ancestors are active. */
export const isMembershipActive = sql`
  membership_status = 'active' and not membership_waits
    and (membership_valid_from is null or membership_valid_from <= now())
    and (membership_valid_until is null or membership_valid_until > now())
    and not ${isUnderSuspended}`

/**
 * The user has memberships, but none that is active in an active account. Suspending the last one ends their sessions;
 * this check covers a session opened concurrently, which that update does not see.
 */
export const isSuspended = sql`
  not person_hyper and exists (select from membership where membership_user = person_id and not membership_waits)
    and not exists (select from membership
                     where membership_user = person_id and membership_status = 'active' and not membership_waits
                       and not ${isUnderSuspended})`

/** Deletes sessions and account assumptions after 30 days: events and the audit log keep the record of both. */
export function pruneSessions(database: Database) {
  return database.asSystem(async (tx) => {
    tx.send(sql`delete from assumption where assumption_ended_at < now() - interval '30 days'`)
    await tx.run(sql`delete from session where session_created_at < now() - interval '30 days'`)
  })
}
