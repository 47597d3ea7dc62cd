import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { type Problem, problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { tableOf } from '../query/columns.ts'
import { linkEntries } from '../query/link-entries.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'

type CheckedItem = { collection: Collection; item: Item }

/** Runs a call; if it refuses references of the item, the error names the deleted items. */
export async function withDeletedNamed<T>(tx: Transaction, { collection, item }: CheckedItem, verb: () => Promise<T>) {
  try {
    return await verb()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unknown_reference' || error.cause) throw error
    const missing: Missing[] = []
    for (const field of Object.keys(error.fieldErrors ?? {})) {
      missing.push({ field, ids: await missingIn(tx, { collection, item, field }) })
    }
    throw await gone(tx, missing)
  }
}

type Missing = { field: string; ids: readonly string[] }

/** An error with the last names of the deleted items, as far as visible history holds them. */
export async function gone(tx: Transaction, missing: readonly Missing[]) {
  const fields: Record<string, Problem> = {}
  for (const { field, ids } of missing) {
    const names = await lastNames(tx, ids)
    fields[field] = names.length > 0 ? problem('no_longer_there', { names }) : problem('gone')
  }
  return new AppError('unknown_reference', {}, { fields })
}

async function missingIn(tx: Transaction, { collection, item, field }: CheckedItem & { field: string }) {
  const column = tableOf(collection).columns.get(field)
  const value = item[field]
  const references = column?.reference && typeof value === 'string' ? [{ collection: column.reference, id: value }] : []
  if (column?.link) references.push(...linkEntries(column.link, value))
  const missing: string[] = []
  for (const [name, entries] of Map.groupBy(references, (entry) => entry.collection)) {
    const target = Object.values<Collection>(collections).find((each) => each.name === name)
    if (target) missing.push(...(await notVisible(tx, { target, ids: entries.map(({ id }) => id) })))
  }
  return missing
}

async function notVisible(tx: Transaction, { target, ids }: { target: Collection; ids: string[] }) {
  const { name, id } = tableOf(target)
  const rows = await tx.rows(
    z.object({ id: z.uuid() }),
    sql`select target as id from unnest(${ids}::uuid[]) target where not exists (select from ${name} where ${id} = target)`,
  )
  return rows.map((row) => row.id)
}

async function lastNames(tx: Transaction, ids: readonly string[]) {
  const rows = await tx.rows(
    z.object({ name: z.string() }),
    sql`select distinct on (history_item) history_before ->> 'name' as name from history
         where history_item = any(${ids}::uuid[]) and history_action = 'delete' and history_before ? 'name'
         order by history_item, history_at desc`,
  )
  return rows.map(({ name }) => name)
}
