import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** So many wrong passwords and codes in a row end a session. */
const mostTries = 10

/**
 * Counts a password or code that is tried in a session, before it is looked at, so that many at once are no more than one after
 * the other. A right one forgets what was counted.
 */
export async function countTry(database: Database, session: string) {
  const counted = await database.asSystem((tx) =>
    tx.run(sql`update session set session_tries = session_tries + 1
      where session_id = ${session} and session_tries < ${mostTries} and session_ended_at is null`),
  )
  if (counted === 1) return
  await database.asSystem((tx) =>
    tx.run(sql`update session set session_ended_at = now() where session_id = ${session} and session_ended_at is null`),
  )
  throw new AppError('session_ended')
}
