import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** The outbox shows ended emails for 30 days. */
const days = 30

export function pruneMails(database: Database) {
  return database.asSystem((tx) =>
    tx.run(sql`delete from mail where mail_ended_at < now() - make_interval(days => ${days})`),
  )
}
