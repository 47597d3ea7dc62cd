import { readFile } from 'node:fs/promises'
import { readOpenApi } from '@portcullis/contract/calls/server'
import { openApiDocument } from '@portcullis/contract/openapi/document'
import Fastify, { type FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import manifest from '../../../package.json' with { type: 'json' }

/**
 * The OpenAPI document, and its reference page at `/api/docs`: Scalar, served from here (decision 0091). Neither needs a
 * session.
 */
export async function serveReference(app: FastifyInstance) {
  // As bytes, which all answers share: a reader who does not read holds no copy.
  const document = Buffer.from(JSON.stringify(openApiDocument(manifest)))
  const [page, script] = await Promise.all([
    readFile(new URL('./reference.html', import.meta.url), 'utf8'),
    readFile(new URL('./reference.mjs', import.meta.url), 'utf8'),
  ])
  app.get(readOpenApi.path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
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
    if (!headers['accept-encoding']?.includes('gzip')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  })
}

type Bundle = { plain: Buffer; gzipped: Buffer; etag: string }

let bundle: Promise<Bundle> | undefined

/** The script of Scalar with everything it needs: 4.4 MB, so it is loaded and compressed when the page is first opened. */
function scalarBundle(): Promise<Bundle> {
  bundle ??= loadBundle().catch((error: unknown) => {
    bundle = undefined
    throw error
  })
  return bundle
}

/** The package holds the script inside its plugin for Fastify, so the plugin serves it once. */
async function loadBundle(): Promise<Bundle> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { url: readOpenApi.path } })
  const { statusCode, rawPayload: plain } = await app.inject('/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`The script of Scalar could not be read: ${statusCode}`)
  return { plain, gzipped: await promisify(gzip)(plain), etag: `"${createHash('sha256').update(plain).digest('hex')}"` }
}
