import type { FastifyBaseLogger } from 'fastify'

type RepeatOptions = {
  everyMs: number
  log: Pick<FastifyBaseLogger, 'warn'>
  /** What is logged when the work fails; it then runs again at its next time. */
  failure: string
}

/** Repeats work, never twice at a time. `stop` waits until running work has ended. */
export function repeat({ everyMs, log, failure }: RepeatOptions, work: () => Promise<unknown>) {
  let running: Promise<unknown> | undefined
  let isStopped = false
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => {
        if (!isStopped) log.warn({ err: error }, failure)
      })
      .finally(() => {
        running = undefined
      })
  }, everyMs)

  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
