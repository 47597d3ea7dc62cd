import { setTimeout as delay } from 'node:timers/promises'

/** Between two batches, which leaves the database to other work. */
const pauseMs = 20

type InBatchesInput = { most: number; signal: AbortSignal }

/** Repeats work that handles at most `most` rows, until it finds fewer or the signal aborts. */
export async function inBatches({ most, signal }: InBatchesInput, work: () => Promise<number>) {
  while (!signal.aborted && (await work()) === most) await delay(pauseMs)
}
