import { z } from 'zod'

/** A worker's request to the process that runs its servers. */
export const order = z.discriminatedUnion('what', [
  z.object({ what: z.literal('start'), id: z.int(), environment: z.record(z.string(), z.string()) }),
  z.object({ what: z.literal('stop'), id: z.int() }),
])
export type Order = z.output<typeof order>

/** The reply: the server's URL after a start, or the reason for a failure. */
export const outcome = z.discriminatedUnion('isDone', [
  z.object({ id: z.int(), isDone: z.literal(true), url: z.string() }),
  z.object({ id: z.int(), isDone: z.literal(false), reason: z.string() }),
])
export type Outcome = z.output<typeof outcome>
