import type { FastifyBaseLogger } from 'fastify'

type StartTimersOptions = { log: FastifyBaseLogger; failed: string }

/** Work that is done later, and not at all once it is stopped. A failure is logged and dropped: more will follow. */
export function startTimers({ log, failed }: StartTimersOptions) {
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false
  return {
    after(ms: number, work: () => Promise<unknown>) {
      if (isStopped) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        // The controllers' process may be starting again.
        work().catch((error: unknown) => log.debug({ err: error }, failed))
      }, ms)
      timers.add(timer)
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
