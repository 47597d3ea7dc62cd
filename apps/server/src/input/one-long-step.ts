import type { z } from 'zod'
import { hasLongList, parseInput } from './parse-input.ts'

let rested: Promise<unknown> = Promise.resolve()

/**
 * Runs work that blocks the process for a moment, one after another. After each, the process is free for twice as long
 * as the work took, so that other requests need not wait for several.
 */
export function oneLongStep<T>(work: () => T): Promise<T> {
  const rest = Promise.withResolvers<void>()
  const step = rested.then(() => {
    const since = performance.now()
    try {
      return work()
    } finally {
      setTimeout(rest.resolve, 2 * (performance.now() - since))
    }
  })
  rested = rest.promise
  return step
}

/** Parses external input as `parseInput` does, input with long lists in a step of its own. */
export async function parseLongInput<S extends z.ZodType>(schema: S, input: unknown): Promise<z.output<S>> {
  return hasLongList(input) ? oneLongStep(() => parseInput(schema, input)) : parseInput(schema, input)
}
