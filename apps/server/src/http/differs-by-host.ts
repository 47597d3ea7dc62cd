import type { FastifyReply } from 'fastify'

/** Says that an answer bears the brand of its host: no cache may give it to another host, nor keep it unasked. */
export function differsByHost(reply: FastifyReply) {
  return reply.header('vary', 'Host').header('cache-control', 'no-cache')
}
