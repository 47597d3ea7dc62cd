import {
  createSavedView,
  deleteSavedView,
  patchSavedView,
  rememberColumns,
  savedViews,
} from '@portcullis/contract/calls/saved-views'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { demand } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { changeView, removeView } from './change-view.ts'
import { readViews } from './read-views.ts'
import { saveView } from './save-view.ts'
import { subjectOfList } from './subject-of-list.ts'
import sql from 'sql-template-tag'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database }

/** Saved views of lists. Each belongs to its owner; a shared one is visible to users of the account who can see the list. */
export function registerSavedViews(app: FastifyInstance, { database, serveCall }: Parts) {
  serveCall(app, savedViews, async ({ access, query: { list } }) => {
    demand(access, { action: 'view', subject: subjectOfList(list) })
    const [views, columns] = await Promise.all([
      database.inAccounts([access.account.key], (tx) => readViews(tx, { access, list })),
      database.asSystem((tx) => readColumns(tx, { person: access.person._id, list })),
    ])
    return { views, columns }
  })

  serveCall(app, createSavedView, async ({ access, input: view }) =>
    database.inAccounts([access.account.key], (tx) => saveView(tx, { access, view })),
  )

  serveCall(app, patchSavedView, async ({ access, path, input: changes }) => {
    const id = idIn(path)
    return database.inAccounts([access.account.key], (tx) => changeView(tx, { access, id, changes }))
  })

  serveCall(app, deleteSavedView, async ({ access, path }) => {
    const id = idIn(path)
    await database.inAccounts([access.account.key], (tx) => removeView(tx, { access, id }))
  })

  serveCall(app, rememberColumns, async ({ access, input: { list, columns } }) => {
    demand(access, { action: 'view', subject: subjectOfList(list) })
    await database.asSystem((tx) => writeColumns(tx, { person: access.person._id, list, columns }))
  })
}

function idIn({ id }: { id: string }) {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found')
  return id
}

type Asked = { person: string; list: string }

const row = z.object({ columns: z.array(z.string()) })

/** The columns in which a person last left a list; null where they never chose any. */
async function readColumns(tx: Transaction, { person, list }: Asked): Promise<string[] | null> {
  const found = await tx.first(
    row,
    sql`select remembered_columns_keys as columns from remembered_columns
         where remembered_columns_person = ${person} and remembered_columns_list = ${list}`,
  )
  return found?.columns ?? null
}

/** Remembers them, or forgets them where there are none. */
async function writeColumns(tx: Transaction, { person, list, columns }: Asked & { columns: readonly string[] | null }) {
  if (columns === null) {
    await tx.run(
      sql`delete from remembered_columns
           where remembered_columns_person = ${person} and remembered_columns_list = ${list}`,
    )
    return
  }
  await tx.run(
    sql`insert into remembered_columns (remembered_columns_person, remembered_columns_list, remembered_columns_keys)
        values (${person}, ${list}, ${columns}::text[])
        on conflict (remembered_columns_person, remembered_columns_list)
          do update set remembered_columns_keys = excluded.remembered_columns_keys`,
  )
}
