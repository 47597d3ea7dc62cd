import type { InputOf } from '@portcullis/contract/call'
import type { createSavedView, SavedView } from '@portcullis/contract/calls/saved-views'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { type Access, demand } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { demandSharing } from './demand-sharing.ts'
import { readView } from './read-views.ts'
import { subjectOfList } from './subject-of-list.ts'

/** More than anybody finds their way in. */
const mostOfList = 100

type Asked = { access: Access; view: InputOf<typeof createSavedView> }

/** Keeps a list under a name of the person's. */
export async function saveView(tx: Transaction, { access, view }: Asked): Promise<SavedView> {
  const { list, name, query, shared } = view
  demand(access, { action: 'view', subject: subjectOfList(list) })
  if (shared) demandSharing(access, list)
  const [id, owner, account] = [uuidv7(), access.person._id, access.account.key]
  const kept = await tx.run(
    sql`select from saved_view
         where saved_view_account = ${account} and saved_view_list = ${list} and saved_view_owner = ${owner}`,
  )
  if (kept >= mostOfList) throw new AppError('too_many_views', { most: mostOfList })
  await tx.run(
    sql`insert into saved_view (saved_view_id, saved_view_account, saved_view_owner, saved_view_list, saved_view_name,
                                saved_view_query, saved_view_shared)
        values (${id}, ${account}, ${owner}, ${list}, ${name}, ${JSON.stringify(query)}::jsonb, ${shared})`,
  )
  return readView(tx, { access, id })
}
