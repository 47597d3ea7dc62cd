import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** So long it is told what became of a mail. */
const days = 30

export function pruneMails(database: Database) {
  return database.asSystem((tx) =>
    tx.run(sql`delete from mail where mail_ended_at < now() - make_interval(days => ${days})`),
  )
}
