type Asked = { starting: Promise<{ stop: () => Promise<void> }>; tell: (sentence: string) => void }

/** A database that hangs would hold the process for ever. */
const patienceMs = 15_000

/**
 * Ends the process when it is asked to, be it while it starts, once everything has come to its end. What takes too long is
 * broken off: nothing is lost by that, for the database takes back what was not committed.
 */
export function stopOnSignal({ starting, tell }: Asked) {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      tell('Stopping.')
      setTimeout(breakOff, patienceMs).unref()
      starting
        .then(({ stop }) => stop())
        .then(
          () => process.exit(0),
          () => process.exit(1),
        )
    })
  }

  function breakOff() {
    tell(
      `Not everything has come to its end within ${patienceMs / 1_000} seconds: what was not finished is taken back.`,
    )
    process.exit(1)
  }
}
