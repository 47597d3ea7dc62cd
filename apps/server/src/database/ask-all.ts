import type { PoolClient } from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Answer, type Cells, sendBatch } from './send-batch.ts'

/**
 * Asks several things with one way there and back, all in one transaction, which the database ends by itself. The answers
 * come in the order of the questions; if one fails, all do.
 */
export async function askAll(client: PoolClient, questions: readonly Sql[]): Promise<Cells[][]> {
  const batch = questions.map((query) => ({ query, ...Promise.withResolvers<Answer>() }))
  sendBatch(client, batch)
  const answers = await Promise.all(batch.map(({ promise }) => promise))
  return answers.map(({ rows }) => rows)
}
