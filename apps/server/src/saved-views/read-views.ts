import { type SavedView, savedView } from '@portcullis/contract/calls/saved-views'
import sql, { type Sql } from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** The user's own views of a list and the shared ones of the account, by name. */
export function readViews(tx: Transaction, { access, list }: { access: Access; list: string }): Promise<SavedView[]> {
  return select(tx, { access, condition: sql`saved_view_list = ${list}` })
}

/** One view that the user can see; private views of other users are not found, like unknown ones. */
export async function readView(tx: Transaction, { access, id }: { access: Access; id: string }): Promise<SavedView> {
  const [view] = await select(tx, { access, condition: sql`saved_view_id = ${id}` })
  if (!view) throw new AppError('not_found')
  return view
}

function select(tx: Transaction, { access, condition }: { access: Access; condition: Sql }) {
  const own = sql`saved_view_owner = ${access.person._id}`
  return tx.rows(
    savedView,
    sql`select saved_view_id as _id, saved_view_list as list, saved_view_name as name, saved_view_query as query,
               saved_view_shared as shared, ${own} as own, person_name as "ownerName", saved_view_version as version
          from saved_view left join person on person_id = saved_view_owner
         where saved_view_account = ${access.account.key} and (${own} or saved_view_shared) and ${condition}
         order by lower(saved_view_name), saved_view_id`,
  )
}
