import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** Forgets sessions that nobody can have used for a month: what is told of sign-ins, events tell; and the log, of accounts acted inside. */
export function pruneSessions(database: Database) {
  return database.asSystem(async (tx) => {
    tx.send(sql`delete from assumption where assumption_ended_at < now() - interval '30 days'`)
    await tx.run(sql`delete from session where session_created_at < now() - interval '30 days'`)
  })
}
