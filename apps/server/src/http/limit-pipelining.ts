import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** Requests of one connection that are not answered yet. Browsers send one at a time, proxies a few. */
const mostUnanswered = 16

/**
 * Ends a connection that sends request after request without waiting for answers: Node would begin all of them, hundreds for
 * each packet, and keep their answers for a client that never reads.
 */
export function limitPipelining(app: FastifyInstance) {
  const unanswered = new WeakMap<object, number>()
  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (count <= mostUnanswered) return
    socket.destroy()
    throw new AppError('too_many', {}, { retryAfterSeconds: 1 })
  })
}
