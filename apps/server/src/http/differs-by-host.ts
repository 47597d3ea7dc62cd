import type { FastifyReply } from 'fastify'

/** Marks an answer as one with the brand of its host: caches must not serve it to another host, or without a check. */
export function differsByHost(reply: FastifyReply) {
  return reply.header('vary', 'Host').header('cache-control', 'no-cache')
}
