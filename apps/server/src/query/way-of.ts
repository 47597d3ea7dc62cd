import type { Collection } from '@portcullis/contract/collection'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { tableOf } from './columns.ts'
import type { ListRequest } from './list-request.ts'
import type { Way } from './select-page.ts'

type Asked = { collection: Collection; accounts: readonly number[]; request: Pick<ListRequest, 'sort'> }

/** Up to so many accounts it costs little to look into each of them. */
const fewAccounts = 32

/**
 * How the page of several accounts is read. Together only where they hold most of the table: then what lies between their
 * items is little, also in a stretch of time in which they were silent. Few accounts are looked into one by one, unless each
 * would have to be sorted for it: the names of people have an index, but not one by account.
 */
export async function wayOf(database: Database, asked: Asked): Promise<Way> {
  if (asked.accounts.length === 1) return 'together'
  if (asked.accounts.length <= fewAccounts && isByAccount(asked)) return 'apart'
  return (await shareOf(database, asked)) >= 0.5 ? 'together' : 'apart'
}

/** Whether an index has the order of the list in each account: that of the newest has; logs are asked for in no other. */
function isByAccount({ collection, request }: Asked) {
  return collection.readOnly || request.sort.prop === collection.newestBy
}

/** Accounts are remembered as long as the rights that show them. */
const sharesByAccounts = new WeakMap<readonly number[], Map<string, number>>()

async function shareOf(database: Database, asked: Asked) {
  const shares = sharesByAccounts.get(asked.accounts) ?? new Map<string, number>()
  sharesByAccounts.set(asked.accounts, shares)
  const share = shares.get(asked.collection.name) ?? (await estimateShare(database, asked))
  shares.set(asked.collection.name, share)
  return share
}

const explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]) })

/** By the database's own statistics, which it tells only as plans. */
function estimateShare(database: Database, { collection, accounts }: Asked) {
  const { name, account } = tableOf(collection)
  return database.asSystem(async (tx) => {
    const rowsOf = async (query: Sql) => {
      const { 'QUERY PLAN': plan } = explained.parse(await tx.first(explained, sql`explain (format json) ${query}`))
      return plan[0].Plan['Plan Rows']
    }
    const own = await rowsOf(sql`select from ${name} where ${account} = any(${accounts}::int[])`)
    return own / Math.max(1, await rowsOf(sql`select from ${name}`))
  })
}
