import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Starts work once the request that asks for it has been answered, so that its time tells nobody what is being done. */
export type AfterAnswer = (request: FastifyRequest, work: () => Promise<unknown>) => void

/** Makes the function that does so. Work that fails is logged; a server that closes waits for what is underway. */
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
      .catch((error: unknown) => request.log.error({ err: error }, 'what was to be done after an answer has failed'))
      .finally(() => underway.delete(done))
    underway.add(done)
  }
}
