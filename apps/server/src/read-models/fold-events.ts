import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { repeat } from '../repeat.ts'

const everyMs = 3_000
const deltasAtOnce = 10_000

/** Folds deltas into the totals of events, with a delay and without blocking other work. */
export function startFolding({ database, log }: { database: Database; log: FastifyBaseLogger }) {
  return repeat({ everyMs, log, failure: 'updating event totals failed; will retry' }, () => foldEvents(database))
}

const foldedRow = z.object({ folded: z.number() })

export async function foldEvents(database: Database) {
  let folded = 0
  do {
    folded = await database.asSystem(async (tx) => {
      const row = await tx.first(foldedRow, sql`select fold_event_deltas(${deltasAtOnce}) as folded`)
      return row?.folded ?? 0
    })
  } while (folded === deltasAtOnce)
}
