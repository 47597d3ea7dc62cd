import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { brandOf } from '@portcullis/contract/brands'
import type { FastifyInstance } from 'fastify'
import { brandedPage } from '../brands/branded-page.ts'
import { differsByHost } from './differs-by-host.ts'

const dist = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/**
 * Serves the built console: its files, and its page under the brand of the host for every other address that a user may
 * open.
 */
export async function serveConsole(app: FastifyInstance, { publicUrl }: { publicUrl: string | undefined }) {
  const isSecure = publicUrl?.startsWith('https:') ?? false
  app.addHook('onSend', async (request, reply) => {
    // The browser must not store data about doors and users on disk after its user has left.
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'same-origin')
    reply.header('content-security-policy', policy)
    reply.header('cross-origin-opener-policy', 'same-origin')
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    if (isSecure) reply.header('strict-transport-security', `max-age=${365 * 24 * 3_600}`)
  })
  if (!existsSync(dist)) return
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    index: false,
    // As a file it would bear the default brand at every host.
    globIgnore: ['index.html'],
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/*', async (request, reply) => {
    if (/^\/(api|primus|units|health|config|assets|brands)(\/|$|\?)/.test(request.url)) return reply.callNotFound()
    const page = await readFile(`${dist}index.html`, 'utf8')
    return differsByHost(reply)
      .type('text/html; charset=utf-8')
      .send(brandedPage(page, brandOf(request.headers.host)))
  })
}
