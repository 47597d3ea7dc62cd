import { refusedVerbs } from '@portcullis/contract/calls/refused-verbs'
import type { Collection } from '@portcullis/contract/collection'
import { collectionCall } from '@portcullis/contract/collection-calls'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { AccessOf } from '../http/access-of.ts'
import { routePath } from '../http/serve-call.ts'

type RefuseWritesOptions = { collection: Collection; accessOf: AccessOf }

/** Answers the writes that a log does not take with 405, the reason, and the methods that its paths take. */
export function refuseWrites(app: FastifyInstance, { collection, accessOf }: RefuseWritesOptions) {
  for (const verb of refusedVerbs(collection)) {
    const { method, path } = collectionCall(collection, verb)
    app.route({
      method,
      url: routePath(path),
      async handler(request, reply) {
        await accessOf(request)
        reply.header('allow', 'GET, HEAD')
        throw new AppError('read_only')
      },
    })
  }
}
