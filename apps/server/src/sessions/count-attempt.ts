import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** After 10 wrong passwords and codes in a row the session ends. */
const maxTries = 10

/**
 * Counts a password or code of a session before it is checked, so that parallel attempts cannot exceed the limit. A
 * right one resets the count.
 */
export async function countAttempt(database: Database, session: string) {
  const counted = await database.asSystem((tx) =>
    tx.run(sql`update session set session_tries = session_tries + 1
      where session_id = ${session} and session_tries < ${maxTries} and session_ended_at is null`),
  )
  if (counted === 1) return
  await database.asSystem((tx) =>
    tx.run(sql`update session set session_ended_at = now() where session_id = ${session} and session_ended_at is null`),
  )
  throw new AppError('session_ended')
}
