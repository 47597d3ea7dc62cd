import type { FastifyReply, FastifyRequest } from 'fastify'

type Stored = { tag: string; bytes: Buffer }

/**
 * Another user of the same browser sees other pictures, so browsers revalidate each time; mostly nothing has changed and the
 * answer is 304.
 */
export function sendPicture({ request, reply }: { request: FastifyRequest; reply: FastifyReply }, picture: Stored) {
  const etag = `"${picture.tag}"`
  reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'Cookie')
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  return reply.type('image/webp').header('x-content-type-options', 'nosniff').send(picture.bytes)
}
