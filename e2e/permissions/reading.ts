import { z } from 'zod'
import type { Sent } from './probe.ts'
import type { Answer } from './send.ts'

/** The calls that return many items. */
export type Reading = 'list' | 'count' | 'aggregate' | 'export' | 'group'

export type Query = {
  filter?: unknown
  search?: string
  sort?: { prop: string; dir: 'asc' | 'desc' }
  by?: readonly unknown[]
  fields?: readonly string[]
  columns?: readonly string[]
  format?: 'csv' | 'json' | 'xlsx'
  after?: string
  /** A parameter that the call does not accept. */
  account?: string
}

/** The request of such a call: query parameters, with objects as JSON text, or the body of an export. */
export function readRequest({ path, reading, query }: { path: string; reading: Reading; query: Query }): Sent {
  if (reading === 'export') return { path, body: { format: 'json', ...query } }
  const paged = reading === 'list' || reading === 'group' ? { size: '500' } : {}
  const counted = reading === 'aggregate' ? { by: ['_id'] } : {}
  const parameters = Object.entries({ ...paged, ...counted, ...query }).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { path: `${path}?${new URLSearchParams(parameters).toString()}` }
}

const page = z.object({ items: z.array(z.unknown()), page: z.object({ totalElements: z.int() }) })
const counted = z.object({ count: z.int() })
const aggregated = z.object({ rows: z.array(counted) })

/** The number of rows that an answer shows or counts. */
export function rowsReturned(reading: Reading, answer: Answer) {
  switch (reading) {
    case 'list':
    case 'group': {
      const { items, page: info } = page.parse(JSON.parse(answer.text))
      return items.length === info.totalElements ? items.length : -1
    }
    case 'count':
      return counted.parse(JSON.parse(answer.text)).count
    case 'aggregate':
      return aggregated.parse(JSON.parse(answer.text)).rows.reduce((sum, { count }) => sum + count, 0)
    case 'export':
      return rowsOfFile(answer)
  }
}

function rowsOfFile({ text, headers }: Answer) {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return z.array(z.unknown()).parse(JSON.parse(text)).length
  const lines = type.startsWith('text/csv') ? text.split('\r\n').length - 1 : text.split('<row ').length - 1
  return lines - 1
}
