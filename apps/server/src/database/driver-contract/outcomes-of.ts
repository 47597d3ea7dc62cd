import type { ClientBase } from 'pg'
import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Answer, sendBatch } from '../send-batch.ts'

const failure = z.object({ code: z.string().optional(), message: z.string() })

/** Sends a batch and reports each statement's rows, or the code or message of its error. */
export async function outcomesOf(client: ClientBase, queries: readonly Sql[]) {
  const settled = await Promise.allSettled(send(client, queries))
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value.rows
    const { code, message } = failure.parse(one.reason)
    return code ?? message
  })
}

/** Sends a batch and resolves with every answer, or rejects with the first error. */
export function answersOf(client: ClientBase, queries: readonly Sql[]) {
  return Promise.all(send(client, queries))
}

function send(client: ClientBase, queries: readonly Sql[]) {
  const batch = queries.map((query) => ({ query, ...Promise.withResolvers<Answer>() }))
  sendBatch(client, batch)
  return batch.map(({ promise }) => promise)
}
