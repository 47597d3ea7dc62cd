import { readFile } from 'node:fs/promises'
import { openApiDocument } from '@portcullis/contract/openapi/document'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }

const fileParams = z.object({ file: z.string() })

/** The document of the calls at `/api/openapi.json`, and a page to read it by at `/api/docs`; neither needs a session. */
export async function serveReference(app: FastifyInstance) {
  const text = JSON.stringify(openApiDocument(manifest))
  const [page, style, script] = await Promise.all([
    readFile(new URL('./reference.html', import.meta.url), 'utf8'),
    readFile(new URL('./reference.css', import.meta.url), 'utf8'),
    readFile(new URL('./reference.mjs', import.meta.url), 'utf8'),
  ])
  const files = new Map([
    ['reference.css', { type: 'text/css; charset=utf-8', text: style }],
    ['reference.mjs', { type: 'text/javascript; charset=utf-8', text: script }],
  ])
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json').send(text))
  app.get('/api/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
  )
  app.get('/api/docs/:file', async (request, reply) => {
    const file = files.get(fileParams.parse(request.params).file)
    if (!file) return reply.callNotFound()
    return reply.type(file.type).header('cache-control', 'no-cache').send(file.text)
  })
}
