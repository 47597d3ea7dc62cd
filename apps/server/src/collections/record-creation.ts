import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { type Change, intoOutbox } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { kept } from '../database/kept-statements.ts'
import { changeOfHistory, intoHistory, type Item, versionOf } from '../history/record-history.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { itemOf } from '../query/read-items.ts'
import { notFound } from './get.ts'

type Created = {
  access: Access
  collection: Collection
  id: string
  undoes: string | undefined
  /** What else looks different now. */
  others: readonly Change[]
}

/** The item as it has become, which nobody need wait for before the commit, and the id of the entry that tells of it. */
export type Creation = { item: Promise<Item>; entry: string }

/**
 * The end of a creation in one statement: the item is read as it has become, and told to the outbox and to history. It
 * belongs to the account that its row says: a new account belongs to itself.
 */
export function recordCreation(tx: Transaction, { access, collection, id, undoes, others }: Created): Creation {
  const table = tableOf(collection)
  const entry = uuidv7()
  const { key } = access.account
  const item = itemOf({ collection, fields: allFields(collection), accounts: [] })
  const account = sql`(select account from made)`
  const changes = [
    { collection: collection.name, item: id, isPolicy: collection.isPolicy, action: 'save' } as const,
    changeOfHistory({ id: entry, account: key }),
    ...others,
  ]
  const accounts = sql`array[${account}, ${account}] || ${others.map((other) => other.account)}::int[]`
  const row = intoHistory({
    id: entry,
    access,
    account,
    collection: collection.name,
    item: id,
    action: 'create',
    before: sql`null::jsonb`,
    after: sql`(select item::jsonb from made)`,
    undoes,
  })
  const made = tx.first(
    z.object({ item: z.string() }),
    kept(sql`with made as materialized (
        select ${table.account} as account, ${item}::text as item from ${table.source} where ${table.id} = ${id}
         order by (${table.account} = ${key}) desc limit 1),
      told as (${intoOutbox({ changes, accounts })}),
      next as (${versionOf(access, collection.isPolicy ? 'next' : null)}),
      noted as (${row})
      select item from made`),
  )
  const parsed = made.then((found) => {
    if (!found) throw notFound(collection)
    return z.record(z.string(), z.unknown()).parse(JSON.parse(found.item))
  })
  // Where it fails, so does the transaction, and that is heard of by whoever waits for its end.
  parsed.catch(() => {})
  return { item: parsed, entry }
}
