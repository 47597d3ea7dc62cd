import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import type { Database } from '../database/database.ts'
import { makeExport } from '../exports/export-items.ts'
import type { AccessOf } from '../http/access-of.ts'
import { aggregate } from './aggregate.ts'
import { count } from './count.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { groupsOf } from './links.ts'
import { list } from './list.ts'
import { listGroup } from './list-group.ts'
import { readListRequest } from './list-request.ts'
import { patch } from './patch.ts'
import { remove } from './remove.ts'
import { seenBy } from './seen-by.ts'
import type { ServerHalf } from './server-half.ts'

type Parts = { database: Database; accessOf: AccessOf; halves: Record<string, ServerHalf> }

const itemParams = z.object({ id: z.string() })

/** The generic calls of every collection (specification §7), closed where a collection is a log. */
export function registerCollections(app: FastifyInstance, { database, accessOf, halves }: Parts) {
  const exportItems = makeExport(database)
  for (const collection of Object.values<Collection>(collections)) {
    const path = `/api/${collection.name}`
    const half = halves[collection.name] ?? {}
    const idOf = (params: unknown) => itemParams.parse(params).id
    const reading = async (request: FastifyRequest) => {
      const access = await accessOf(request)
      return { access, collection: seenBy(collection, access.rules) }
    }

    app.get(path, async (request, reply) => {
      const asked = { ...(await reading(request)), request: readListRequest(collection, request.query) }
      const text = await list(database, asked)
      return reply.type('application/json').send(text)
    })
    app.get(`${path}/count`, async (request) => {
      return count(database, { ...(await reading(request)), query: request.query })
    })
    app.get(`${path}/aggregate`, async (request) => {
      return aggregate(database, { ...(await reading(request)), query: request.query })
    })
    app.get(`${path}/:id`, async (request, reply) => {
      const text = await get(database, { ...(await reading(request)), id: idOf(request.params) })
      return reply.type('application/json').send(text)
    })
    app.post(`${path}/export`, async (request, reply) => {
      const { type, fileName, file } = await exportItems({ ...(await reading(request)), body: request.body })
      return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(file)
    })
    const groups = groupsOf(collection)
    if (groups) {
      app.get(`${path}/group/:id`, async (request, reply) => {
        const asked = { ...(await reading(request)), groups, id: idOf(request.params) }
        const text = await listGroup(database, { ...asked, request: readListRequest(collection, request.query) })
        return reply.type('application/json').send(text)
      })
    }
    if (collection.readOnly) continue

    app.post(path, async (request, reply) => {
      const access = await accessOf(request)
      const { item, entry } = await create(database, { collection, half, access, body: request.body })
      return reply.status(201).header(historyHeader, entry).send(item)
    })
    app.patch(`${path}/:id`, async (request, reply) => {
      const access = await accessOf(request)
      const ifMatch = request.headers['if-match']
      const { params, body } = request
      const asked = { collection, half, access, id: idOf(params), body, ...(ifMatch ? { ifMatch } : {}) }
      const { item, entry } = await patch(database, asked)
      return reply.header(historyHeader, entry).send(item)
    })
    app.delete(`${path}/:id`, async (request, reply) => {
      const access = await accessOf(request)
      const entry = await remove(database, { collection, half, access, id: idOf(request.params) })
      return reply.status(204).header(historyHeader, entry).send()
    })
  }
}
