import { accountImage, mostImageBytes, removeAccountImage, setAccountImage } from '@portcullis/contract/calls/accounts'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { FastifyInstance } from 'fastify'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { notFound } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { readImage, writeImage } from './account-image.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database }

/** The picture of an account, for users who can see the account. A browser loads it like any picture, without our headers. */
export function registerImageCalls(app: FastifyInstance, { database, serveCall }: Parts) {
  serveCall(app, accountImage, async ({ request, reply, person, path }) => {
    const asked = { person, account: path.id, allAccounts: 'no', requestId: request.id } as const
    const access = await resolveAccess(database, asked).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'account_refused' ? notFound(accounts) : error
    })
    const { tag, bytes } = await readImage(database, access)
    const etag = `"${tag}"`
    // Another user of the same browser sees other accounts, so it asks each time; mostly nothing has changed.
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'Cookie')
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type('image/webp').header('x-content-type-options', 'nosniff').send(bytes)
  })

  void app.register(async (inner) => {
    inner.addContentTypeParser(
      [...setAccountImage.upload],
      { parseAs: 'buffer', bodyLimit: mostImageBytes },
      async (_request: unknown, body: Buffer) => body,
    )
    serveCall(inner, setAccountImage, async ({ request, access, path }) => ({
      entry: await writeImage(database, { access, ...path, upload: request.body }),
    }))
    serveCall(inner, removeAccountImage, async ({ access, path }) => ({
      entry: await writeImage(database, { access, ...path, upload: 'none' }),
    }))
  })
}
