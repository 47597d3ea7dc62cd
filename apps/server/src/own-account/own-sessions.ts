import type { OwnSession } from '@portcullis/contract/calls/own-sessions'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from '../sessions/session-store.ts'

const row = z.object({
  _id: z.uuid(),
  address: z.string().nullable(),
  device: z.string().nullable(),
  signedInAt: z.iso.datetime(),
  lastActivityAt: z.iso.datetime(),
})

/** The sessions of a user, newest first, without those that still owe a code. */
export async function ownSessions(database: Database, { _id: person, session }: SessionPerson): Promise<OwnSession[]> {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      row,
      sql`select session_id as _id, session_address as address, session_device as device,
             session_created_at as "signedInAt", session_last_activity_at as "lastActivityAt"
            from open_session join session on session_id = open_session_id
           where open_session_person = ${person} and not open_session_owes_code
           order by session_created_at desc, session_id`,
    ),
  )
  return rows.map((each) => ({ ...each, current: each._id === session._id }))
}

/** Ends one of the user's own sessions; other users' sessions are not found. */
export async function endOwnSession(database: Database, { person, id }: { person: string; id: string }) {
  const isId = z.uuid().safeParse(id).success
  const ended = isId
    ? await database.asSystem((tx) =>
        tx.run(sql`update session set session_ended_at = now() where session_person = ${person} and session_id = ${id}
          and session_id in (select open_session_id from open_session)`),
      )
    : 0
  if (ended === 0) throw new AppError('not_found')
}

/** Ends all sessions of the user except the current one, and returns how many. */
export async function endOtherSessions(database: Database, { _id: person, session }: SessionPerson) {
  return database.asSystem((tx) =>
    tx.run(sql`update session set session_ended_at = now() where session_person = ${person}
      and session_id <> ${session._id} and session_id in (select open_session_id from open_session)`),
  )
}
