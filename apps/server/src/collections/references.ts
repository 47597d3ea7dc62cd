import { coversSubtree } from '@portcullis/contract/collections/accounts'
import { collections } from '@portcullis/contract/collections/registry'
import type { Collection } from '@portcullis/contract/collection'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { linksIn } from './links.ts'

type CheckReferencesInput = { collection: Collection; item: Item; access: Pick<Access, 'subtree' | 'covered'> }

/**
 * Refuses ids outside the user's accounts. Accounts in which the user has a lesser role count as visible; that role
 * decides what they may do there.
 */
export async function checkReferences(tx: Transaction, { collection, item, access }: CheckReferencesInput) {
  const [refusal] = await findUnknownReferences(tx, { collection, items: [item], access })
  if (refusal) throw refusal
}

type FindUnknownReferencesInput = Omit<CheckReferencesInput, 'item'> & { items: readonly Item[] }

/** The same for many items: the refusal of each that refers to such ids. One query for each collection that they refer to. */
export async function findUnknownReferences(
  tx: Transaction,
  { collection, items, access }: FindUnknownReferencesInput,
): Promise<(AppError | undefined)[]> {
  const byItem = items.map((item) => referencesIn(collection, item))
  const byTarget = Map.groupBy(byItem.flat(), ({ target }) => target)
  const missing = new Map(
    await Promise.all(
      [...byTarget].map(async ([target, references]) => {
        const accounts = coversSubtree({ name: target }) ? access.subtree : access.covered
        const ids = [...new Set(references.flatMap((reference) => reference.ids))]
        return [target, await missingOf(tx, { target, ids, accounts })] as const
      }),
    ),
  )
  return byItem.map((references) => {
    const unknown = references.filter(({ target, ids }) => ids.some((id) => missing.get(target)?.has(id)))
    if (unknown.length === 0) return undefined
    const fields = Object.fromEntries(
      unknown.map(({ field, target }) => [field, problem('not_in_sight', { collection: target })]),
    )
    return new AppError('unknown_reference', {}, { fields })
  })
}

type Reference = { field: string; target: string; ids: string[] }

function referencesIn(collection: Collection, item: Item): Reference[] {
  const single = [...tableOf(collection).columns.values()].flatMap(({ field, reference }) => {
    const value = item[field]
    return reference !== undefined && typeof value === 'string' ? [{ field, target: reference, ids: [value] }] : []
  })
  const linked = linksIn(collection, item).flatMap(({ field, entries }) =>
    [...Map.groupBy(entries, (entry) => entry.collection)].map(([target, all]) => ({
      field,
      target,
      ids: all.map(({ id }) => id),
    })),
  )
  return [...single, ...linked]
}

/** Sending many ids at once would block the process for a noticeable time. */
const maxAtOnce = 2_000

type MissingOfInput = { target: string; ids: string[]; accounts: readonly number[] }

async function missingOf(tx: Transaction, { target, ids, accounts }: MissingOfInput) {
  const collection: Collection | undefined = Object.values<Collection>(collections).find(({ name }) => name === target)
  if (!collection) return new Set(ids)
  const table = tableOf(collection)
  const missing = new Set<string>()
  for (let at = 0; at < ids.length; at += maxAtOnce) {
    const some = ids.slice(at, at + maxAtOnce)
    const rows = await tx.rows(
      z.object({ id: z.uuid() }),
      sql`select given.id from unnest(${some}::uuid[]) given (id)
           where not exists (select from ${table.name} where ${table.id} = given.id and ${belongsTo(table, accounts)})`,
    )
    for (const { id } of rows) missing.add(id)
  }
  return missing
}
