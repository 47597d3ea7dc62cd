import type { PoolClient } from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Answer, type Cells, sendBatch } from './send-batch.ts'

/**
 * Runs several queries in one round trip and one implicit transaction. Results come in the order of the queries; if one
 * fails, all fail.
 */
export async function runQueries(client: PoolClient, queries: readonly Sql[]): Promise<Cells[][]> {
  const batch = queries.map((query) => ({ query, ...Promise.withResolvers<Answer>() }))
  sendBatch(client, batch)
  const answers = await Promise.all(batch.map(({ promise }) => promise))
  return answers.map(({ rows }) => rows)
}
