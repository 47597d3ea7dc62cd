import type { z } from 'zod'
import { FairTurns } from '../limits/fair-turns.ts'
import { hasLongList, parseInput } from './parse-input.ts'

/** Requests that wait are limited elsewhere. */
const turns = new FairTurns({ most: 1, ofKey: Number.POSITIVE_INFINITY })
const maxRestMs = 2_000

/**
 * Runs work that blocks the process for a moment, one after another, in turn between keys such as account trees. After each,
 * the process is free for twice as long as the work took, at most 2 s, so that other requests need not wait for several.
 */
export function oneLongStep<T>(key: string, work: () => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const step = async () => {
    const since = performance.now()
    try {
      resolve(work())
    } catch (error) {
      reject(error)
    }
    const rest = Promise.withResolvers<void>()
    setTimeout(rest.resolve, Math.min(maxRestMs, 2 * (performance.now() - since)))
    await rest.promise
  }
  void turns.take({ key }, step)
  return promise
}

type Long<S extends z.ZodType> = { key: string; schema: S; input: unknown }

/** Parses external input as `parseInput` does, input with long lists in a step of its own. */
export async function parseLongInput<S extends z.ZodType>({ key, schema, input }: Long<S>): Promise<z.output<S>> {
  return hasLongList(input) ? oneLongStep(key, () => parseInput(schema, input)) : parseInput(schema, input)
}
