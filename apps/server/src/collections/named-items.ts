import { isAllowed } from '@portcullis/contract/abilities'
import { maxNamedCardholders } from '@portcullis/contract/calls/unit-difference'
import type { Collection } from '@portcullis/contract/collection'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

const person = z.object({ _id: z.uuid(), name: z.string(), account: z.uuid() })
const item = z.object({ _id: z.uuid(), name: z.string() })

/** Of these the visible ones are sorted by name. */
const maxLookedUp = 1_000

/** The users of these membership keys that the request may see, by name; `total` counts all keys. */
export async function namedCardholders(database: Database, { reads, rules, signal }: Access, keys: Iterable<string>) {
  const all = [...keys]
  const total = all.length
  if (total === 0 || !isAllowed(rules, { action: 'view', subject: users.subject })) return { total, items: [] }
  const items = await database.readInAccounts({ accounts: reads, signal }, (tx) =>
    tx.rows(
      person,
      prepared(sql`select user_id as _id, user_name as name, account_id as account
        from unnest(${all.slice(0, maxLookedUp)}::text[]) as key
        join account on account_id = split_part(key, '@', 2)::uuid
        join "user" on user_id = split_part(key, '@', 1)::uuid and user_account = account_key
       where ${belongsTo(tableOf(users), reads)} order by user_name, key limit ${maxNamedCardholders}`),
    ),
  )
  return { total, items }
}

type NamedItems = { access: Access; collection: Collection; ids: readonly string[]; limit?: number }

/** The items with these ids that the request may see, by name. */
export async function namedItems(database: Database, { access, collection, ids, limit = maxLookedUp }: NamedItems) {
  const { reads, rules, signal } = access
  const table = tableOf(collection)
  const name = table.columns.get('name')?.name
  if (!name || ids.length === 0 || !isAllowed(rules, { action: 'view', subject: collection.subject })) return []
  return database.readInAccounts({ accounts: reads, signal }, (tx) =>
    tx.rows(
      item,
      sql`select ${table.id} as _id, ${name} as name from ${table.name}
        where ${table.id} = any(${[...ids]}::uuid[]) and ${belongsTo(table, reads)} order by ${name}, ${table.id} limit ${limit}`,
    ),
  )
}
