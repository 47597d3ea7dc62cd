import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** Forgets sessions that nobody can have used for a month: what is told of sign-ins, events tell. */
export function pruneSessions(database: Database) {
  return database.asSystem((tx) =>
    tx.run(sql`delete from session where session_created_at < now() - interval '30 days'`),
  )
}
