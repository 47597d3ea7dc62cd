import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { openRequestsOf } from './open-requests.ts'

/** Requests of one connection that are not answered yet. Browsers send one at a time, proxies a few. */
const mostUnanswered = 16

/**
 * Ends a connection that sends request after request without waiting for answers: Node would begin all of them, hundreds for
 * each packet, and keep their answers for a client that never reads.
 */
export function limitPipelining(app: FastifyInstance) {
  app.addHook('onRequest', async ({ raw: { socket } }) => {
    if (openRequestsOf(socket) <= mostUnanswered) return
    socket.destroy()
    throw new AppError('too_many', {}, { retryAfterSeconds: 1 })
  })
}
