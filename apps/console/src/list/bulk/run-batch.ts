/** The result of one item of many. */
export type Outcome =
  | { state: 'waiting' | 'running' | 'cancelled' }
  | { state: 'done'; note?: string }
  | { state: 'failed'; error: unknown }

type Batch<T> = {
  /** May return a sentence about the result. */
  run: (item: T) => Promise<string | undefined>
  /** How many run at the same time. */
  atOnce: number
  signal: AbortSignal
  onOutcome: (item: T, outcome: Outcome) => void
}

/** Does the same to each of many items; a failed one does not affect the others. Stopped, it finishes the running ones and starts no more. */
export async function runBatch<T>(items: readonly T[], { run, atOnce, signal, onOutcome }: Batch<T>): Promise<void> {
  const left = [...items]

  async function work() {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      if (signal.aborted) {
        onOutcome(item, { state: 'cancelled' })
        continue
      }
      onOutcome(item, { state: 'running' })
      try {
        const note = await run(item)
        onOutcome(item, { state: 'done', ...(note === undefined ? {} : { note }) })
      } catch (error) {
        onOutcome(item, { state: 'failed', error })
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work))
}
