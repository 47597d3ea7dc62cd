import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** Forgets beginnings of epochs: nobody remembers rights that were looked up a day ago. */
export function pruneEpochs(database: Database) {
  return database.asSystem((tx) =>
    tx.run(sql`delete from authorisation_epoch where authorisation_epoch_at < now() - interval '1 day'`),
  )
}
