import type { SavedView, savedViews as answers } from '@portcullis/contract/calls/saved-views'
import { createSavedView, patchSavedView, rememberColumns, savedViews } from '@portcullis/contract/calls/saved-views'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { changeView, removeView } from './change-view.ts'
import { readColumns, writeColumns } from './columns-of-person.ts'
import { readViews } from './read-views.ts'
import { saveView } from './save-view.ts'
import { subjectOfList } from './subject-of-list.ts'

type Parts = { database: Database; accessOf: AccessOf }

const itemParams = z.object({ id: z.uuid() })

/** Lists as people keep them. Each is its owner's; a shared one is for whoever may see the list in the account. */
export function registerSavedViews(app: FastifyInstance, { database, accessOf }: Parts) {
  app.get('/api/savedViews', async (request): Promise<z.output<typeof answers.output>> => {
    const access = await accessOf(request)
    const { list } = parseInput(savedViews.query, request.query)
    demand(access, { action: 'view', subject: subjectOfList(list) })
    const [views, columns] = await Promise.all([
      database.inAccounts([access.account.key], (tx) => readViews(tx, { access, list })),
      database.asSystem((tx) => readColumns(tx, { person: access.person._id, list })),
    ])
    return { views, columns }
  })

  app.post('/api/savedViews', async (request, reply): Promise<SavedView> => {
    const access = await accessOf(request)
    const view = parseInput(createSavedView, request.body)
    const made = await database.inAccounts([access.account.key], (tx) => saveView(tx, { access, view }))
    return reply.status(201).send(made)
  })

  app.patch('/api/savedViews/:id', async (request): Promise<SavedView> => {
    const access = await accessOf(request)
    const asked = { access, id: idIn(request.params), changes: parseInput(patchSavedView, request.body) }
    return database.inAccounts([access.account.key], (tx) => changeView(tx, asked))
  })

  app.delete('/api/savedViews/:id', async (request, reply) => {
    const access = await accessOf(request)
    const id = idIn(request.params)
    await database.inAccounts([access.account.key], (tx) => removeView(tx, { access, id }))
    return reply.status(204).send()
  })

  app.put('/api/savedViews/columns', async (request, reply) => {
    const access = await accessOf(request)
    const { list, columns } = parseInput(rememberColumns, request.body)
    demand(access, { action: 'view', subject: subjectOfList(list) })
    await database.asSystem((tx) => writeColumns(tx, { person: access.person._id, list, columns }))
    return reply.status(204).send()
  })
}

function idIn(params: unknown) {
  const parsed = itemParams.safeParse(params)
  if (!parsed.success) throw new AppError('not_found', 'There is no such view.')
  return parsed.data.id
}
