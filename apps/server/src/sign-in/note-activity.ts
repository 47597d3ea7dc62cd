import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** The person moves, types or touches: their session goes on. Answers until when it does without more of that. */
export async function noteActivity(database: Database, session: string) {
  const now = await database.asSystem(async (tx) => {
    tx.send(sql`update session set session_last_activity_at = now()
      where session_id = ${session} and session_id in (select open_session_id from open_session)`)
    return tx.first(
      z.object({ endsAt: z.iso.datetime() }),
      sql`select open_session_ends_at as "endsAt" from open_session where open_session_id = ${session}`,
    )
  })
  if (!now) throw new AppError('session_ended')
  return now
}
