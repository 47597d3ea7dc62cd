import { z } from 'zod'

/** Of the calls in a period, in milliseconds. */
export const figures = z.object({ count: z.int(), p50: z.number(), p99: z.number(), max: z.number() })
export type Figures = z.output<typeof figures>

/** The report of the measuring process: the product's `/health/live`, and a bare server, requested in turn. */
export const probed = z.object({ live: figures, bare: figures, failed: z.int() })
export type Probed = z.output<typeof probed>

export function figuresOf(times: readonly number[]): Figures {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 }
}
