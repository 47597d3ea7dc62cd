import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Starts work once its request has been answered, so that the response time does not reveal its nature. */
export type AfterAnswer = (request: FastifyRequest, work: () => Promise<unknown>) => void

/** Makes the function that does so. Work that fails is logged; a server that closes waits for running work. */
export function makeAfterAnswer(app: FastifyInstance): AfterAnswer {
  const waiting = new WeakMap<FastifyRequest, (() => Promise<unknown>)[]>()
  const underway = new Set<Promise<unknown>>()
  app.addHook('onResponse', async (request) => {
    for (const work of waiting.get(request) ?? []) start(request, work)
  })
  app.addHook('onClose', async () => {
    await Promise.all(underway)
  })
  return (request, work) => {
    waiting.set(request, [...(waiting.get(request) ?? []), work])
  }

  function start(request: FastifyRequest, work: () => Promise<unknown>) {
    const done = work()
      .catch((error: unknown) => request.log.error({ err: error }, 'deferred work failed'))
      .finally(() => underway.delete(done))
    underway.add(done)
  }
}
