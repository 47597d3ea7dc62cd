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
  const missing = await Promise.all(
    referencesIn(collection, item).map(async ({ field, target, ids }) => {
      const accounts = coversSubtree({ name: target }) ? access.subtree : access.covered
      return (await areVisible(tx, { target, ids, accounts })) ? [] : [{ field, target }]
    }),
  )
  const found = missing.flat()
  if (found.length === 0) return
  const fields = Object.fromEntries(
    found.map(({ field, target }) => [field, problem('not_in_sight', { collection: target })]),
  )
  throw new AppError('unknown_reference', {}, { fields })
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

type VisibilityCheck = { target: string; ids: string[]; accounts: readonly number[] }

async function areVisible(tx: Transaction, { target, ids, accounts }: VisibilityCheck) {
  const collection: Collection | undefined = Object.values<Collection>(collections).find(({ name }) => name === target)
  if (!collection) return false
  const table = tableOf(collection)
  for (let at = 0; at < ids.length; at += maxAtOnce) {
    const some = [...new Set(ids.slice(at, at + maxAtOnce))]
    const row = await tx.first(
      z.object({ visible: z.number() }),
      sql`select count(distinct ${table.id}) as visible from ${table.name}
           where ${table.id} = any(${some}::uuid[]) and ${belongsTo(table, accounts)}`,
    )
    if (row?.visible !== some.length) return false
  }
  return true
}
