import { setTimeout as delay } from 'node:timers/promises'
import type { Collection } from '@portcullis/contract/collection'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import type { Database } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { readItems } from '../query/read-items.ts'
import { readStored, storedPolicy, type UnreadableItem } from './stored-policy.ts'

type Options = { database: Database; log: Pick<FastifyBaseLogger, 'error' | 'warn'>; slice?: number }

/** Between two slices, which leave the database and this thread to requests. */
const pauseMs = 20

/**
 * Reads every stored item of account trees without controllers, a slice at a time, and logs each that the policy would
 * leave out: by collection, name and id. For the other trees, compiling reports them. Started after the server listens.
 */
export function startReportingUnreadable({ database, log, slice = 500 }: Options) {
  let isStopped = false
  const done = reportAll().catch((error: unknown) => {
    if (!isStopped) log.warn({ err: error }, 'looking for stored items that cannot be read failed')
  })
  return {
    done,
    async stop() {
      isStopped = true
      await done
    },
  }

  async function reportAll() {
    for (const entry of Object.values(storedPolicy)) await reportCollection(entry)
  }

  async function reportCollection({
    collection,
    schema,
  }: {
    collection: Collection
    schema: z.ZodType & { shape: object }
  }) {
    const { id, account } = tableOf(collection)
    // A user has a row for each account.
    let last = { id: '00000000-0000-0000-0000-000000000000', account: 0 }
    while (!isStopped) {
      const rows = await database.asSystem((tx) =>
        readItems(tx, {
          collection,
          fields: Object.keys(schema.shape),
          where: sql`(${id}, ${account}) > (${last.id}::uuid, ${last.account}::int) and ${account} in (${accountsWithoutUnits})
                     order by ${id}, ${account} limit ${slice}`,
        }),
      )
      for (const row of rows) report({ collection, schema, text: row.item })
      last = rows.at(-1) ?? last
      if (rows.length < slice) return
      await delay(pauseMs)
    }
  }

  function report(input: { collection: Collection; schema: z.ZodType; text: string }) {
    const onUnreadable = (item: UnreadableItem) => log.error(item, 'a stored item cannot be read; save it again')
    try {
      readStored({ ...input, onUnreadable })
    } catch {
      // A deny rule that cannot be read at all; it has been reported.
    }
  }
}

const accountsWithoutUnits = sql`select account_key from account where account_root not in (
  select account_root from account join unit on unit_account = account_key join unit_secret on unit_secret_unit = unit_id)`
