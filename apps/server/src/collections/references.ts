import { collections } from '@portcullis/contract/collections/registry'
import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../http/app-error.ts'
import { belongsTo } from './belongs-to.ts'
import { tableOf } from './columns.ts'
import { linkEntries } from './links.ts'

type Asked = { collection: Collection; item: Item; accounts: readonly number[] }

/** Refuses ids of what is not in the writer's accounts: never trust an id. */
export async function checkReferences(tx: Transaction, { collection, item, accounts }: Asked) {
  const fields: Record<string, string> = {}
  for (const [field, targets] of referencesIn(collection, item)) {
    for (const [target, ids] of targets) {
      if (await areVisible(tx, { target, ids, accounts })) continue
      fields[field] = `Something chosen here is not in ${target}, or not yours to see.`
    }
  }
  const names = Object.keys(fields)
  if (names.length === 0) return
  throw new AppError('unknown_reference', `Please choose again: ${names.join(', ')}.`, { fields })
}

function referencesIn(collection: Collection, item: Item) {
  const found = new Map<string, Map<string, string[]>>()
  for (const column of tableOf(collection).columns.values()) {
    const value = item[column.field]
    if (column.reference && typeof value === 'string') found.set(column.field, new Map([[column.reference, [value]]]))
    if (column.link && value !== undefined) {
      const targets = new Map<string, string[]>()
      for (const { collection: target, id } of linkEntries(column.link, value)) {
        targets.set(target, [...(targets.get(target) ?? []), id])
      }
      found.set(column.field, targets)
    }
  }
  return found
}

type Wanted = { target: string; ids: string[]; accounts: readonly number[] }

async function areVisible(tx: Transaction, { target, ids, accounts }: Wanted) {
  const collection: Collection | undefined = Object.values<Collection>(collections).find(({ name }) => name === target)
  if (!collection) return false
  const table = tableOf(collection)
  const wanted = new Set(ids)
  const row = await tx.first(
    z.object({ visible: z.number() }),
    sql`select count(distinct ${table.id}) as visible from ${table.name}
         where ${table.id} = any(${[...wanted]}::uuid[]) and ${belongsTo(table, accounts)}`,
  )
  return row?.visible === wanted.size
}
