import {
  createSavedView,
  deleteSavedView,
  patchSavedView,
  rememberColumns,
  type SavedView,
  savedViews,
} from '@portcullis/contract/calls/saved-views'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import sql from 'sql-template-tag'
import type { InputOf } from '@portcullis/contract/call'
import { v7 as uuidv7 } from 'uuid'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { problem } from '@portcullis/contract/errors/problem'
import { type Access, demand, demandField } from '../abilities/access.ts'
import { demandUnchanged } from '../collections/patch.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { readView, readViews } from './read-views.ts'
import { unusable } from '../errors/unusable.ts'

/** More views than a menu can show clearly. */
const maxPerList = 100

type SavedViewOptions = Pick<ServeCall, 'serveCall'> & { database: Database }

/**
 * Saved views of lists. Each belongs to its owner; a shared one is visible to users of the account who can see the
 * list.
 */
export function registerSavedViews(app: FastifyInstance, { database, serveCall }: SavedViewOptions) {
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

type ColumnsKey = { person: string; list: string }

const row = z.object({ columns: z.array(z.string()) })

/** The columns that the user chose last for a list; null if they chose none. */
async function readColumns(tx: Transaction, { person, list }: ColumnsKey): Promise<string[] | null> {
  const found = await tx.first(
    row,
    sql`select remembered_columns_keys as columns from remembered_columns
         where remembered_columns_person = ${person} and remembered_columns_list = ${list}`,
  )
  return found?.columns ?? null
}

/** Stores the chosen columns, or deletes them if there are none. */
async function writeColumns(
  tx: Transaction,
  { person, list, columns }: ColumnsKey & { columns: readonly string[] | null },
) {
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

type SaveViewInput = { access: Access; view: InputOf<typeof createSavedView> }

/** Saves a list as a view with a name. */
async function saveView(tx: Transaction, { access, view }: SaveViewInput): Promise<SavedView> {
  const { list, name, query, shared } = view
  demand(access, { action: 'view', subject: subjectOfList(list) })
  if (shared) demandSharing(access, list)
  const [id, owner, account] = [uuidv7(), access.person._id, access.account.key]
  const existing = await tx.run(
    sql`select from saved_view
         where saved_view_account = ${account} and saved_view_list = ${list} and saved_view_owner = ${owner}`,
  )
  if (existing >= maxPerList) throw new AppError('too_many_views', { most: maxPerList })
  await tx.run(
    sql`insert into saved_view (saved_view_id, saved_view_account, saved_view_owner, saved_view_list, saved_view_name,
                                saved_view_query, saved_view_shared)
        values (${id}, ${account}, ${owner}, ${list}, ${name}, ${JSON.stringify(query)}::jsonb, ${shared})`,
  )
  return readView(tx, { access, id })
}

type ChangeViewInput = { access: Access; id: string; changes: InputOf<typeof patchSavedView> }

/** Changes the user's own view: its name, its query, whether it is shared. */
async function changeView(tx: Transaction, { access, id, changes }: ChangeViewInput): Promise<SavedView> {
  const before = await readView(tx, { access, id })
  if (!before.own) throw new AppError('view_of_another')
  if (changes.version !== undefined && changes.version !== before.version) throw conflict(before)
  const { name, query, shared, ...asRead } = { ...before, ...changes }
  demandUnchanged(asRead, before)
  if (shared && !before.shared) demandSharing(access, before.list)
  const changed = await tx.run(
    sql`update saved_view set saved_view_name = ${name}, saved_view_query = ${JSON.stringify(query)}::jsonb,
                              saved_view_shared = ${shared}, saved_view_version = saved_view_version + 1
         where saved_view_id = ${id} and saved_view_version = ${before.version}`,
  )
  if (changed === 0) throw conflict(await readView(tx, { access, id }))
  return readView(tx, { access, id })
}

/** Deletes the user's own view, or one that another user shared. */
async function removeView(tx: Transaction, { access, id }: { access: Access; id: string }) {
  const view = await readView(tx, { access, id })
  if (!view.own) demandSharing(access, view.list)
  await tx.run(sql`delete from saved_view where saved_view_id = ${id}`)
}

function conflict(item: SavedView) {
  return new AppError('conflict', {}, { item })
}

/** A shared view appears in every user's menu, so sharing requires the right to manage the items of the list. */
function demandSharing(access: Access, list: string) {
  demandField(access, { field: 'shared', subject: subjectOfList(list) })
}

/** Rights to a list are those to the subject of its collection. */
function subjectOfList(list: string) {
  const [name = ''] = list.split('.', 1)
  const collection = Object.values<Collection>(collections).find((each) => each.name === name)
  if (collection) return collection.subject
  throw unusable('list', problem('unknown_list'))
}
