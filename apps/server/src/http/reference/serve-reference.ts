import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { readOpenApi } from '@portcullis/contract/calls/server'
import { openApiDocument } from '@portcullis/contract/openapi/document'
import type { FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import { scalarBundle } from './scalar-bundle.ts'

/** Once for all servers of a process, and as bytes, which all answers share: a slow reader holds no copy. */
const document = Buffer.from(JSON.stringify(openApiDocument(manifest)))
const gzippedDocument = gzipSync(document)

/**
 * The OpenAPI document, and its reference page at `/api/docs`: Scalar, served from here (decision 0091). Neither needs a
 * session.
 */
export async function serveReference(app: FastifyInstance) {
  const [page, script] = await Promise.all([
    readFile(new URL('./reference.html', import.meta.url), 'utf8'),
    readFile(new URL('./reference.mjs', import.meta.url), 'utf8'),
  ])
  app.get(readOpenApi.path, async ({ headers }, reply) => {
    reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
    if (!acceptsGzip(headers)) return reply.send(document)
    return reply.header('content-encoding', 'gzip').send(gzippedDocument)
  })
  app.get('/api/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
  )
  app.get('/api/docs/reference.mjs', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script),
  )
  app.get('/api/docs/scalar.js', async ({ headers }, reply) => {
    const { plain, gzipped, etag } = await scalarBundle()
    reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding')
    if (headers['if-none-match'] === etag) return reply.status(304).send()
    reply.type('text/javascript; charset=utf-8')
    if (!acceptsGzip(headers)) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  })
}

function acceptsGzip(headers: IncomingHttpHeaders) {
  return headers['accept-encoding']?.includes('gzip') ?? false
}
