import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '@portcullis/server/database/database'

/** The titles of users, by their ids. */
export async function titlesOf(tx: Transaction): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.rows(
    z.object({ user: z.uuid(), title: z.string().nullable() }),
    sql`select membership_user as user, membership_title as title from membership`,
  )
  return new Map(rows.map(({ user, title }) => [user, title]))
}
