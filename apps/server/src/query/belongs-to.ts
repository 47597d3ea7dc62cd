import sql, { Sql } from 'sql-template-tag'
import type { Table } from './columns.ts'

/**
 * Limits a query to accounts, on top of row level security. One account is compared for equality, so that an index by
 * account returns rows in its order; a set of several prevents that.
 */
export function belongsTo({ account }: Pick<Table, 'account'>, accounts: readonly number[] | Sql) {
  if (accounts instanceof Sql) return sql`${account} = ${accounts}`
  const [only, ...others] = accounts
  return others.length === 0 ? sql`${account} = ${only}::int` : sql`${account} = any(${accounts}::int[])`
}
