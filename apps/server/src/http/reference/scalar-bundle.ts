import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { readOpenApi } from '@portcullis/contract/calls/server'
import Fastify from 'fastify'

export type Bundle = { plain: Buffer; gzipped: Buffer; etag: string }

/** The script of Scalar with everything it needs: 4.4 MB, so it is loaded and compressed when the page is first opened. */
export const scalarBundle = sharedUnlessFailed(loadBundle)

/** Loads once for all requests, and again after a failure. */
export function sharedUnlessFailed<T>(load: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined
  return () => {
    shared ??= load().catch((error: unknown) => {
      shared = undefined
      throw error
    })
    return shared
  }
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
