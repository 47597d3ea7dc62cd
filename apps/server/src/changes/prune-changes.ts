import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** Whoever was away longer reads everything anew. */
const keptMinutes = 60

/**
 * Marks how far the outbox is settled now, and forgets what was settled an hour ago: by then every server has told it. A
 * transaction that was open for hours is kept as long as any other, for it counts from its end.
 */
export function pruneChanges(database: Database) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`insert into change_mark (change_mark_xid) select settled_before()
      where not exists (select from change_mark where change_mark_at > now() - interval '50 seconds')`)
    const old = sql`(select max(change_mark_xid) from change_mark
      where change_mark_at < now() - make_interval(mins => ${keptMinutes}))`
    const forgotten = await tx.run(sql`delete from change where change_xid < ${old}`)
    await tx.run(sql`delete from change_mark where change_mark_xid < ${old}`)
    return forgotten
  })
}
