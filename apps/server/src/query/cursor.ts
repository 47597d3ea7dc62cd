import { problem } from '@portcullis/contract/errors/problem'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { unusable } from '../errors/unusable.ts'
import type { Column, Table } from './columns.ts'
import { operandOf } from './filter.ts'
import type { ListRequest } from './list-request.ts'

type Sort = ListRequest['sort']
type Order = { table: Table; column: Column; sort: Sort }

const position = z.strictObject({
  prop: z.string(),
  dir: z.enum(['asc', 'desc']),
  /** The sort value of the last item, as text. */
  key: z.string().nullable(),
  id: z.uuid(),
  account: z.int32(),
})

/** The total order of a list: items without a value come last, and ids break ties. */
export function orderOf({ table, column, sort }: Order) {
  const direction = sort.dir === 'asc' ? sql`asc` : sql`desc`
  const rest = sql`${table.id} ${direction}, ${table.account} ${direction}`
  if (column.field === '_id') return rest
  return sql`${column.name} ${direction}${column.isNullable ? sql` nulls last` : sql``}, ${rest}`
}

/** The sort value as a cursor carries it. */
export function keyOf({ kind }: Column, value: Sql) {
  return kind === 'instant' ? sql`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : sql`${value}::text`
}

/** The position of an item in a list. */
export type Place = Pick<z.output<typeof position>, 'key' | 'id' | 'account'>

/** The cursor that continues after this position. */
export function cursorAfter({ key, id, account }: Place, { prop, dir }: Sort) {
  return Buffer.from(JSON.stringify({ prop, dir, key, id, account })).toString('base64url')
}

/** The condition of items after a cursor. */
export function behindCursor(after: string, { table, column, sort }: Order): Sql {
  const { prop, dir, key, id, account } = parseCursor(after)
  if (prop !== sort.prop || dir !== sort.dir) throw unusable('after', problem('wrong_order'))
  const beyond = dir === 'asc' ? sql`>` : sql`<`
  const rest = sql`(${table.id}, ${table.account}) ${beyond} (${id}::uuid, ${account}::int)`
  if (prop === '_id') return rest
  if (key === null && column.isNullable) return sql`(${column.name} is null and ${rest})`
  const behind = sql`(${column.name}, ${table.id}, ${table.account}) ${beyond}
    (${keyOperand(column, key)}, ${id}::uuid, ${account}::int)`
  return column.isNullable ? sql`(${behind} or ${column.name} is null)` : behind
}

function keyOperand(column: Column, key: string | null) {
  try {
    if (column.kind === 'integer' || column.kind === 'number') return operandOf(column, Number(key))
    return operandOf(column, column.kind === 'boolean' ? key === 'true' : key)
  } catch (cause) {
    throw unusable('after', problem('unknown_cursor'), cause)
  }
}

function parseCursor(after: string) {
  try {
    return position.parse(JSON.parse(Buffer.from(after, 'base64url').toString('utf8')))
  } catch (cause) {
    throw unusable('after', problem('unknown_cursor'), cause)
  }
}
