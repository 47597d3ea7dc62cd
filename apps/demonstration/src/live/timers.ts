import type { FastifyBaseLogger } from 'fastify'

type StartTimersOptions = { log: FastifyBaseLogger; failed: string }

/** Runs work later, unless it is stopped first. A failure is logged only, because the next run follows. */
export function startTimers({ log, failed }: StartTimersOptions) {
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false
  return {
    after(ms: number, work: () => Promise<unknown>) {
      if (isStopped) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        // The controllers' process may be restarting.
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
