import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** The outbox shows ended emails for 30 days. Emails with invitations count for an hour. */
const days = 30

export function pruneMails(database: Database) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`delete from mail where mail_ended_at < now() - make_interval(days => ${days})`)
    await tx.run(sql`delete from membership_mail where membership_mail_created_at < now() - interval '1 hour'`)
  })
}
