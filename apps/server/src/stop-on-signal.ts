type StopOnSignalOptions = { starting: Promise<{ stop: () => Promise<void> }>; report: (sentence: string) => void }

/** A hanging database must not keep the process alive. */
const timeoutMs = 15_000

/**
 * Ends the process on a signal, also during startup, once everything has stopped. Work that takes too long is aborted:
 * nothing is lost, because the database rolls back what was not committed.
 */
export function stopOnSignal({ starting, report }: StopOnSignalOptions) {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      report('Stopping.')
      setTimeout(abort, timeoutMs).unref()
      starting
        .then(({ stop }) => stop())
        .then(
          () => process.exit(0),
          () => process.exit(1),
        )
    })
  }

  function abort() {
    report(`Some work did not finish within ${timeoutMs / 1_000} seconds and was rolled back.`)
    process.exit(1)
  }
}
