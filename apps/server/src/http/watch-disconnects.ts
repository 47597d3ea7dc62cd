import type { FastifyInstance, FastifyRequest } from 'fastify'

const signals = new WeakMap<FastifyRequest, AbortSignal>()

/** Watches for clients that disconnect before they have their answer. */
export function watchDisconnects(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    const controller = new AbortController()
    signals.set(request, controller.signal)
    // Node emits `close` of a request when its body was read; that of the answer comes at its end, or with the connection's.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort()
    })
  })
}

/** Aborts when the client of a request has disconnected. */
export function disconnectOf(request: FastifyRequest) {
  return signals.get(request)
}
