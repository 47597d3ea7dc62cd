import type { InputOf } from '@portcullis/contract/call'
import type { patchSavedView, SavedView } from '@portcullis/contract/calls/saved-views'
import sql from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { demandSharing } from './demand-sharing.ts'
import { readView } from './read-views.ts'

type Asked = { access: Access; id: string; changes: InputOf<typeof patchSavedView> }

/** Changes a view of one's own: its name, what it shows, who sees it. */
export async function changeView(tx: Transaction, { access, id, changes }: Asked): Promise<SavedView> {
  const before = await readView(tx, { access, id })
  if (!before.own) throw new AppError('view_of_another')
  if (changes.version !== undefined && changes.version !== before.version) throw conflict(before)
  const { name, query, shared } = { ...before, ...changes }
  if (shared && !before.shared) demandSharing(access, before.list)
  const changed = await tx.run(
    sql`update saved_view set saved_view_name = ${name}, saved_view_query = ${JSON.stringify(query)}::jsonb,
                              saved_view_shared = ${shared}, saved_view_version = saved_view_version + 1
         where saved_view_id = ${id} and saved_view_version = ${before.version}`,
  )
  if (changed === 0) throw conflict(await readView(tx, { access, id }))
  return readView(tx, { access, id })
}

/** Deletes a view of one's own, or one that somebody shared and perhaps left behind. */
export async function removeView(tx: Transaction, { access, id }: { access: Access; id: string }) {
  const view = await readView(tx, { access, id })
  if (!view.own) demandSharing(access, view.list)
  await tx.run(sql`delete from saved_view where saved_view_id = ${id}`)
}

function conflict(item: SavedView) {
  return new AppError('conflict', {}, { item })
}
