import sql, { join, raw } from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '@portcullis/server/database/database'

/** A hash of all rows of a table in an account, by table and account. */
export type Rows = ReadonlyMap<string, { table: string; account: number; hash: string }>

const counted = z.object({ table: z.string(), account: z.int(), hash: z.string() })

/** Tables without an `{table}_account` column, and the column or query that gives their account. */
const elsewhere: Record<string, string> = {
  person: 'person_home',
  account_closure: 'account_closure_descendant',
  unit_enrolment: '(select unit_account from unit where unit_id = unit_enrolment_unit)',
}

/** Tables that the server changes at any time, also in accounts that a change only affects; requests of users cannot. */
const byTheServer = ['unit_state', 'door_state', 'change', 'authorisation_epoch', 'event_delta', 'event_total']

/** Tables whose rows users create and the server changes later: only the row ids are compared. */
const madeByPeople: Record<string, string> = { unit_command: 'unit_command_id', task: 'task_id' }

/**
 * Excludes records that the server writes some time after the answer: sign-ins, also failed ones, expired requests, and
 * the outcomes of unlocks.
 */
const conditions: Record<string, string> = {
  event: `event_type not like 'administration.sign%' and event_type <> 'access.remote_expired'`,
  history: `history_action <> 'unlock'`,
}

/** Returns a query that hashes the rows of all tables in all accounts, in one snapshot. */
export async function makeWatch(database: Database) {
  const tables = await tablesOfAccounts(database)
  const parts = tables.map(({ table, account }) => {
    const row = raw(madeByPeople[table] ?? table)
    return sql`select ${table} as "table", ${raw(account)}::int as account,
        md5(string_agg(md5(${row}::text), '' order by md5(${row}::text))) as hash
      from ${raw(table)} where ${raw(account)} is not null and ${raw(conditions[table] ?? 'true')} group by 2`
  })
  const query = join(parts, ' union all ')

  return async function watchedRows(): Promise<Rows> {
    const rows = await database.asSystem((tx) => tx.rows(counted, query))
    return new Map(rows.map((row) => [`${row.table} of ${row.account}`, row]))
  }
}

/** The tables that differ, each with its account. */
export function differences(before: Rows, after: Rows) {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    const row = is ?? was
    return row && was?.hash !== is?.hash ? [{ table: row.table, account: row.account }] : []
  })
}

async function tablesOfAccounts(database: Database) {
  const names = await database.asSystem((tx) =>
    tx.rows(
      z.object({ table: z.string() }),
      sql`select relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
           where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
             and attname = relname || '_account' order by relname`,
    ),
  )
  const named = names.filter(({ table }) => !byTheServer.includes(table) && !(table in elsewhere))
  return [
    ...named.map(({ table }) => ({ table, account: `${table}_account` })),
    ...Object.entries(elsewhere).map(([table, account]) => ({ table, account })),
  ]
}
