/** What became of one item of many. */
export type Outcome =
  | { state: 'waiting' | 'running' | 'cancelled' }
  | { state: 'done'; note?: string }
  | { state: 'failed'; error: unknown }

type Batch<T> = {
  /** May answer a sentence about what became of it. */
  run: (item: T) => Promise<string | undefined>
  /** How many are under way at the same time. */
  atOnce: number
  signal: AbortSignal
  onOutcome: (item: T, outcome: Outcome) => void
}

/** Does the same to each of many items; one that fails leaves the others alone. Stopped, it ends what is under way and begins no more. */
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
