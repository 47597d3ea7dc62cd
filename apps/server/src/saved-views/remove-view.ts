import sql from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { demandSharing } from './demand-sharing.ts'
import { readView } from './read-views.ts'

/** Deletes a view of one's own, or one that somebody shared and perhaps left behind. */
export async function removeView(tx: Transaction, { access, id }: { access: Access; id: string }) {
  const view = await readView(tx, { access, id })
  if (!view.own) demandSharing(access, view.list)
  await tx.run(sql`delete from saved_view where saved_view_id = ${id}`)
}
