import sql, { Sql } from 'sql-template-tag'
import type { Table } from './columns.ts'

/**
 * The condition that keeps a query within accounts; beneath it lies row level security, which needs no condition.
 * Equality with one account, so that an index by account answers in its order; a set of several can't.
 */
export function belongsTo({ account }: Pick<Table, 'account'>, accounts: readonly number[] | Sql) {
  if (accounts instanceof Sql) return sql`${account} = ${accounts}`
  const [only, ...others] = accounts
  return others.length === 0 ? sql`${account} = ${only}::int` : sql`${account} = any(${accounts}::int[])`
}
