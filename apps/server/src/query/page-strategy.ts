import type { Collection } from '@portcullis/contract/collection'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { tableOf } from './columns.ts'
import type { ListRequest } from './list-request.ts'
import type { Way } from './select-page.ts'

type WayOfInput = { collection: Collection; accounts: readonly number[]; request: Pick<ListRequest, 'sort'> }

/** Up to this number of accounts it is cheap to read each by itself. */
const fewAccounts = 32

/**
 * How to read the page of several accounts. Together only if they hold most of the table: then few other rows lie
 * between their items, even in periods without any. Few accounts are read one by one, unless each needs a sort for it:
 * names of users have an index, but not one by account.
 */
export async function pageStrategyOf(database: Database, input: WayOfInput): Promise<Way> {
  if (input.accounts.length === 1) return 'together'
  if (input.accounts.length <= fewAccounts && isByAccount(input)) return 'apart'
  return (await shareOf(database, input)) >= 0.5 ? 'together' : 'apart'
}

/**
 * Whether an index by account has the order of the list: there is one for the newest first, and logs have no other
 * order.
 */
function isByAccount({ collection, request }: WayOfInput) {
  return collection.readOnly || request.sort.prop === collection.newestBy
}

/** Cached as long as the access rights that hold the list of accounts. */
const sharesByAccounts = new WeakMap<readonly number[], Map<string, number>>()

async function shareOf(database: Database, input: WayOfInput) {
  const shares = sharesByAccounts.get(input.accounts) ?? new Map<string, number>()
  sharesByAccounts.set(input.accounts, shares)
  const share = shares.get(input.collection.name) ?? (await estimateShare(database, input))
  shares.set(input.collection.name, share)
  return share
}

const explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]) })

/** From the database's statistics, which it exposes only as plans. */
function estimateShare(database: Database, { collection, accounts }: WayOfInput) {
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
