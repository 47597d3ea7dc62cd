import { roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
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
})

/**
 * The person of a live session, with the memberships that are in force now, the oldest first: none in an account that is
 * suspended, or lies below one. Roles that are held above it go on.
 */
export type SessionPerson = z.output<typeof sessionRow>

type Opening = { person: string; address: string; device: string | undefined }

/** Opens a session, tells of it, and answers its token, which only the browser keeps; the database knows its hash. */
export async function openSession(database: Database, { person, address, device }: Opening) {
  const token = makeToken()
  await database.asSystem(async (tx) => {
    await tx.run(sql`insert into session (session_token_hash, session_person, session_address, session_device)
      values (${hashOfToken(token)}, ${person}, ${address}, ${device?.slice(0, 300) ?? null})`)
    await tellSignIn(tx, { person, address, device })
  })
  return token
}

export function endSession(database: Database, token: string) {
  return database.asSystem((tx) =>
    tx.run(sql`update session set session_ended_at = now()
      where session_token_hash = ${hashOfToken(token)} and session_ended_at is null`),
  )
}

export function findSessionPerson(database: Database, token: string) {
  return database.asSystem((tx) =>
    tx.first(
      sessionRow,
      sql`select person_id as _id, person_name as name, person_email as email, person_img as img,
             person_hyper as hyper, person_verified as verified, person_idle_time as "idleTime",
             person_consent as consent,
             coalesce((select json_agg(json_build_object('account', account_id, 'key', account_key, 'ref', account_ref,
                         'name', account_name, 'role', membership_role) order by membership_created_at, account_key)
                         from membership join account on account_key = membership_account
                        where membership_user = person_id and membership_status = 'active'
                          and (membership_valid_from is null or membership_valid_from <= now())
                          and (membership_valid_until is null or membership_valid_until > now())
                          and not exists (select from account_closure
                                            join account above on above.account_key = account_closure_ancestor
                                           where account_closure_descendant = membership_account
                                             and above.account_status = 'suspended')), '[]') as memberships
            from live_session join person on person_id = live_session_person
           where live_session_token_hash = ${hashOfToken(token)}`,
    ),
  )
}
