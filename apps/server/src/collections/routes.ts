import type { Collection } from '@portcullis/contract/collection'
import { type CollectionVerb, collectionCall } from '@portcullis/contract/collection-calls'
import { collections } from '@portcullis/contract/collections/registry'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { previewQuery } from '@portcullis/contract/change-preview'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { makeExport } from '../exports/export-items.ts'
import type { RunExport } from '../exports/run-export.ts'
import type { AccessOf, Answering, Entering } from '../http/access-of.ts'
import { routePath } from '../http/serve-call.ts'
import { parseInput } from '../input/parse-input.ts'
import { aggregate } from './aggregate.ts'
import { count } from './count.ts'
import { create, creation } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { lookedUp } from './looked-up.ts'
import { listGroup } from './list-group.ts'
import type { ListSearch } from '../query/list-request.ts'
import { namedIn, withNamedHolder } from './with-named-holder.ts'
import { patch, patching } from './patch.ts'
import type { PreviewChange } from '../preview/preview-change.ts'
import { refuseWrites } from './refuse-writes.ts'
import { removal, remove } from './remove.ts'
import { seenBy } from '../abilities/seen-by.ts'
import type { CollectionHooks } from './collection-hooks.ts'

type CollectionRoutesOptions = {
  database: Database
  accessOf: AccessOf
  answering: Answering
  entering: Entering
  runExport: RunExport
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  previewChange: PreviewChange
}

type Reading = { access: Access; collection: Collection; hooks: CollectionHooks }

const itemParams = z.object({ id: z.string().toLowerCase() })
const json = 'application/json'

/** The generic calls of every collection (specification §7); logs only have those that read, and refuse the others. */
export function registerCollections(
  app: FastifyInstance,
  { database, accessOf, answering, entering, runExport, hooksByCollection, previewChange }: CollectionRoutesOptions,
) {
  const exportItems = makeExport(database, runExport)
  for (const collection of Object.values<Collection>(collections)) {
    const at = (verb: CollectionVerb) => routePath(collectionCall(collection, verb).path)
    const hooks = hooksByCollection[collection.name] ?? {}
    const idOf = (params: unknown) => itemParams.parse(params).id
    const reading = (request: FastifyRequest, work: (input: Reading) => Promise<unknown>) =>
      answering(request, (access) => work({ access, hooks, collection: seenBy(collection, access.rules) }))

    app.get(at('list'), (request, reply) => {
      reply.type(json)
      return reading(request, (as) => list(database, { ...as, query: request.query }))
    })
    app.get(at('count'), (request) => reading(request, (as) => count(database, { ...as, query: request.query })))
    app.get(at('aggregate'), (request) =>
      reading(request, (as) => aggregate(database, { ...as, query: request.query })),
    )
    app.get(at('get'), (request, reply) => {
      reply.type(json)
      return reading(request, (as) => {
        demandNoQuery(request)
        return get(database, { ...as, id: idOf(request.params) })
      })
    })
    app.post(at('export'), async (request, reply) => {
      const { type, fileName, file } = await entering(request, async (access) => {
        demandNoQuery(request)
        const as = { access, hooks, collection: seenBy(collection, access.rules) }
        const lookUp = (given: ListSearch) => lookedUp(database, { ...as, request: given })
        return exportItems({ ...as, body: request.body, lookUp })
      })
      return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(file)
    })
    app.get(at('group'), (request, reply) => {
      reply.type(json)
      const id = idOf(request.params)
      return reading(request, (as) => listGroup(database, { ...as, id, query: request.query }))
    })
    if (collection.readOnly) {
      refuseWrites(app, { collection, accessOf })
      continue
    }

    app.post(at('create'), (request, reply) =>
      answering(request, async (access) => {
        const preview = previewOf(request, collection)
        const { body } = request
        const input = { collection, hooks, access, body }
        const values = () => namedIn(body, collection.createSchema)
        const writing = { ...input, values }
        if (preview)
          return withNamedHolder(database, writing, async () =>
            previewChange(access, { write: await creation(input), ...preview }),
          )
        const { item, entry } = await withNamedHolder(database, writing, () => create(database, input))
        return reply.status(201).header(historyHeader, entry).send(item)
      }),
    )
    app.patch(at('patch'), (request, reply) =>
      answering(request, async (access) => {
        const preview = previewOf(request, collection)
        const { params, body, headers } = request
        const input = { collection, hooks, access, id: idOf(params), body, ifMatch: headers['if-match'] }
        const values = () => namedIn(body, collection.patchSchema)
        const writing = { ...input, values }
        if (preview)
          return withNamedHolder(database, writing, async () =>
            previewChange(access, { write: await patching(input), ...preview }),
          )
        const { item, entry } = await withNamedHolder(database, writing, () => patch(database, input))
        return reply.header(historyHeader, entry).send(item)
      }),
    )
    app.delete(at('delete'), (request, reply) =>
      answering(request, async (access) => {
        const preview = previewOf(request, collection)
        const input = { collection, hooks, access, id: idOf(request.params) }
        if (preview) return reply.send(await previewChange(access, { write: removal(input), ...preview }))
        const entry = await remove(database, input)
        return reply.status(204).header(historyHeader, entry).send()
      }),
    )
  }
}

const nothing = z.strictObject({})

/** How a change is only tried, as those of items that controllers know can be; undefined for one that is made. */
function previewOf({ query }: FastifyRequest, { isPolicy }: Collection) {
  const { preview } = parseInput(isPolicy ? previewQuery : nothing, query)
  return preview === undefined ? undefined : { withAccess: preview === 'true' }
}

/** Query parameters that a call does not take are a 400 that names them. */
function demandNoQuery({ query }: FastifyRequest) {
  parseInput(nothing, query)
}
