import { z } from 'zod'
import { type Filter, filterLimits } from './list-query.ts'
import { timeZone } from './names.ts'

export const buckets = ['hour', 'day', 'week', 'month'] as const
export type Bucket = (typeof buckets)[number]

export const aggregateLimits = { by: 4, rows: 10_000 } as const

/** Counts rows by a field's value, or by the period of civil time that contains a time. Weeks begin on Monday. */
export const aggregateBy = z
  .array(z.union([z.string(), z.strictObject({ field: z.string(), bucket: z.enum(buckets) })]))
  .min(1)
  .max(aggregateLimits.by)
export type AggregateBy = z.output<typeof aggregateBy>

/** `GET /api/{collection}/aggregate`; objects are sent as JSON text. Without a time zone, the current account's. */
export const aggregateQueryString = z.strictObject({
  filter: z.string().max(filterLimits.characters).optional(),
  by: z.string().max(2_000),
  timeZone: timeZone().optional(),
})

export type AggregateQuery = { filter?: Filter; by: AggregateBy; timeZone?: string }

/** Each row has its group's values by field name, and `count`; a bucket is given as its start in UTC. */
export const aggregated = z.object({ rows: z.array(z.looseObject({ count: z.int() })) })
