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
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { changeView, removeView } from './change-view.ts'
import { readColumns, writeColumns } from './columns-of-person.ts'
import { readViews } from './read-views.ts'
import { saveView } from './save-view.ts'
import { subjectOfList } from './subject-of-list.ts'

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
