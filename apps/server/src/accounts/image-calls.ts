import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { notFound } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { readImage, writeImage } from './account-image.ts'
import { mostUploadedBytes } from './small-image.ts'

type Parts = { database: Database; accessOf: AccessOf; personOf: PersonOf }

const idParams = z.object({ id: z.string() })

/** The picture of an account, for whoever sees the account, by its ref or its `_id`; a browser asks for it as for any picture, without headers of ours. */
export function registerImageCalls(app: FastifyInstance, { database, accessOf, personOf }: Parts) {
  app.get('/api/accounts/:id/image', async (request, reply) => {
    const { tag, bytes } = await readImage(database, await accessTo(request))
    const etag = `"${tag}"`
    // Somebody else at the same browser sees other accounts, so it asks each time; the answer is mostly that nothing is new.
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'Cookie')
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type('image/webp').header('x-content-type-options', 'nosniff').send(bytes)
  })

  void app.register(async (inner) => {
    inner.addContentTypeParser(
      ['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream'],
      { parseAs: 'buffer', bodyLimit: mostUploadedBytes },
      async (_request: unknown, body: Buffer) => body,
    )
    inner.put('/api/accounts/:id/image', { bodyLimit: mostUploadedBytes }, async (request, reply) => {
      const { id } = parseInput(idParams, request.params)
      const asked = { access: await accessOf(request), id, upload: request.body }
      return reply
        .header(historyHeader, await writeImage(database, asked))
        .status(204)
        .send()
    })
    inner.delete('/api/accounts/:id/image', async (request, reply) => {
      const { id } = parseInput(idParams, request.params)
      const asked = { access: await accessOf(request), id, upload: 'none' }
      return reply
        .header(historyHeader, await writeImage(database, asked))
        .status(204)
        .send()
    })
  })

  /** What is not in somebody's sight is not there. */
  async function accessTo(request: FastifyRequest) {
    const { id: account } = parseInput(idParams, request.params)
    const person = await personOf(request)
    return resolveAccess(database, { person, account, allAccounts: 'no', requestId: request.id }).catch(
      (error: unknown) => {
        throw error instanceof AppError && error.code === 'account_refused' ? notFound(accounts) : error
      },
    )
  }
}
