import pg from 'pg'
import { z } from 'zod'
import type { Query } from './bare-queries.ts'
import { closedLoop, drive, type Request } from './drive.ts'
import { median } from './median.ts'
import type { Measurement } from './measurements.ts'
import type { Row } from './print-table.ts'

export type Pace = { connections: number; rounds: number; seconds: number }

export type Peers = {
  pace: Pace
  product: { url: string; headers: Record<string, string> }
  bare: { url: string }
  /** PostgreSQL alone, as a role that bypasses row level security. */
  databaseUrl: string
}

/**
 * Measures one request: warm-up, then rounds in which the three sides take turns, so that other load on the machine affects
 * all alike. The ratio is the median of the ratios of the rounds.
 */
export async function measureThroughput(measurement: Measurement, { pace, product, bare, databaseUrl }: Peers) {
  const connections = Math.min(pace.connections, measurement.connections ?? pace.connections)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })
  const next = (): Request => {
    const request = measurement.product()
    return { ...request, headers: { ...product.headers, ...request.headers } }
  }
  const check = (body: unknown) => checkAnswer(measurement, body)
  const sides = [
    (forMs: number) => drive({ url: product.url, connections, forMs, next, check }),
    (forMs: number) => drive({ url: bare.url, connections, forMs, next: measurement.bare, check }),
    (forMs: number) => query({ pool, connections, forMs, next: measurement.sql }),
  ]
  const forMs = pace.seconds * 1_000
  const rounds: number[][] = []
  for (const side of sides) await side(forMs / 2)
  for (let round = 0; round < pace.rounds; round += 1) {
    const rates = []
    for (const side of sides) rates.push(await side(forMs))
    rounds.push(rates)
  }
  await pool.end()
  return rowOf(measurement, rounds)
}

function rowOf({ name, atLeast }: Measurement, rounds: readonly number[][]): Row {
  const rateOf = (side: number) => median(rounds.map((rates) => rates[side] ?? 0))
  const ratioTo = (side: number) => median(rounds.map((rates) => (rates[0] ?? 0) / (rates[side] ?? 0)))
  const ratio = ratioTo(1)
  return {
    name,
    product: perSecond(rateOf(0)),
    bare: perSecond(rateOf(1)),
    ratio: ratio.toFixed(2),
    sql: perSecond(rateOf(2)),
    sqlRatio: ratioTo(2).toFixed(2),
    ...(atLeast === undefined ? {} : { target: `>= ${atLeast.toFixed(1)}`, isMet: ratio >= atLeast }),
  }
}

function perSecond(rate: number) {
  return `${rate.toFixed(rate < 100 ? 1 : 0)}/s`
}

type Querying = { pool: pg.Pool; connections: number; forMs: number; next: () => Query[] }

async function query({ pool, connections, forMs, next }: Querying) {
  return closedLoop({
    connections,
    forMs,
    once: async () => {
      await Promise.all(next().map((query) => pool.query(query)))
    },
  })
}

const list = z.union([z.array(z.unknown()), z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items)])
const total = z.union([
  z.object({ total: z.int() }).transform((answer) => answer.total),
  z.object({ page: z.object({ totalElements: z.int() }) }).transform(({ page }) => page.totalElements),
])

/** An answer that is quick and wrong is not measured. */
function checkAnswer({ name, items, total: expected }: Measurement, body: unknown) {
  const found = list.safeParse(body).data?.length ?? (body === null ? 0 : 1)
  if (found !== items) throw new Error(`${name}: ${found} items came where ${items} were asked for.`)
  if (expected === undefined) return
  const returned = total.parse(body)
  if (returned !== expected) throw new Error(`${name}: the reported total is ${returned}, the correct one ${expected}.`)
}
