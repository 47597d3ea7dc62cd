import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { hasLongList, parseInput } from './parse-input.ts'

let last: Promise<unknown> = Promise.resolve()

/** Runs work that blocks the process for a moment, one after another: other requests are answered between two of them. */
export function oneLongStep<T>(work: () => T): Promise<T> {
  const step = last.then(() => setImmediate()).then(work)
  last = step.catch(() => {})
  return step
}

/** Parses external input as `parseInput` does, input with long lists in a step of its own. */
export async function parseLongInput<S extends z.ZodType>(schema: S, input: unknown): Promise<z.output<S>> {
  return hasLongList(input) ? oneLongStep(() => parseInput(schema, input)) : parseInput(schema, input)
}
