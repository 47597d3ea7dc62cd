import type { Collection } from '@portcullis/contract/collection'
import { type FieldMeta, metaOf, unwrapped } from '@portcullis/contract/fields'
import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'

export type ValueKind = 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'id' | 'json'
export type LinkMeta = Extract<FieldMeta, { kind: 'links' }>

/** One field of a collection, as stored in the database. */
export type Column = {
  field: string
  /** Quoted name of the column, with its table. */
  name: Sql
  bare: Sql
  plainName: string
  kind: ValueKind
  isNullable: boolean
  link: LinkMeta | undefined
  reference: string | undefined
  /** The expression for the value as in JSON. */
  output: Sql
}

export type Table = {
  name: Sql
  id: Sql
  account: Sql
  version: Sql
  updatedAt: Sql
  /** The table joined with its state. */
  source: Sql
  columns: ReadonlyMap<string, Column>
  /** The queryable parts of fields by path (`adhoc.until`): the database derives them, no item shows them. */
  parts: ReadonlyMap<string, Column>
}

/** The table of a collection; its names derive from those of the entity and the fields, as in the migrations. */
export function tableOf(collection: Collection): Table {
  const existing = tables.get(collection)
  if (existing) return existing
  const table = describe(collection)
  tables.set(collection, table)
  return table
}

/** A copy of the collection that is read with other expressions. */
export function withTable(collection: Collection, table: Table): Collection {
  const other = { ...collection }
  tables.set(other, table)
  return other
}

/** The column for a name in a filter, a sort or an export: a field or a part of one. */
export function queryableColumn({ columns, parts }: Pick<Table, 'columns' | 'parts'>, field: string) {
  return columns.get(field) ?? parts.get(field)
}

const tables = new WeakMap<Collection, Table>()

function describe(collection: Collection): Table {
  const table = snakeCase(collection.entity)
  const name = quoted(table)
  const id = quoted(`${table}_id`)
  const stateFields = Object.keys(collection.fields.state)
  const columns = new Map<string, Column>()
  for (const [field, schema] of Object.entries<z.core.$ZodType>(collection.entitySchema.shape)) {
    const prefix = stateFields.includes(field) ? `${table}_state` : table
    columns.set(field, columnOf({ field, schema, prefix, table }))
  }
  const state = quoted(`${table}_state`)
  const source =
    stateFields.length === 0 ? name : sql`${name} left join ${state} on ${quoted(`${table}_state_id`)} = ${id}`
  return {
    name,
    id,
    account: quoted(`${table}_account`),
    version: quoted(`${table}_version`),
    updatedAt: quoted(`${table}_updated_at`),
    source,
    columns,
    parts: partsOf(collection, table),
  }
}

function partsOf({ queryable, entitySchema }: Collection, table: string) {
  const parts = new Map<string, Column>()
  for (const path of queryable) {
    const [field = '', part] = path.split('.')
    const whole = shapeOf(entitySchema)[field]
    const schema = part === undefined || whole === undefined ? undefined : shapeOf(unwrapped(whole))[part]
    // Where a field is absent, so are its parts.
    if (schema) parts.set(path, { ...columnOf({ field: path, schema, prefix: table, table }), isNullable: true })
  }
  return parts
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {}
}

type ColumnOfInput = { field: string; schema: z.core.$ZodType; prefix: string; table: string }

function columnOf({ field, schema, prefix, table }: ColumnOfInput): Column {
  const meta = metaOf(schema)
  const link = meta?.kind === 'links' ? meta : undefined
  const plainName = `${prefix}_${field === '_id' ? 'id' : snakeCase(field)}`
  const bare = quoted(plainName)
  const kind = kindOf(schema, meta)
  return {
    field,
    bare,
    plainName,
    name: sql`${quoted(prefix)}.${bare}`,
    kind,
    isNullable: isNullable(schema),
    link,
    reference: meta?.kind === 'reference' ? meta.of : undefined,
    output: outputOf({ field, bare, kind, link, table }),
  }
}

function outputOf(column: { field: string; bare: Sql; kind: ValueKind; link: LinkMeta | undefined; table: string }) {
  const { field, bare, kind, link, table } = column
  const account = sql`${quoted(table)}.${quoted(`${table}_account`)}`
  if (field === 'account') return sql`(select account_id from account of_item where of_item.account_key = ${account})`
  if (kind === 'instant') return sql`to_char(${bare}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  if (!link) return bare
  const own = quoted(`${table}_id`)
  if (link.direction === 'to') {
    return sql`(select coalesce(json_agg(link_owner order by link_owner), '[]') from link
      where link_target = ${own} and link_field = 'members' and link_account = ${account})`
  }
  const item = link.shape === 'ids' ? sql`link_target` : sql`json_build_object('kind', link_kind, 'id', link_target)`
  return sql`(select coalesce(json_agg(${item} order by link_kind, link_target), '[]') from link
    where link_owner = ${own} and link_field = ${field})`
}

function kindOf(schema: z.core.$ZodType, meta: FieldMeta | undefined): ValueKind {
  if (meta?.kind === 'instant') return 'instant'
  if (meta?.kind === 'reference') return 'id'
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodUUID) return 'id'
  if (inner instanceof z.ZodNumber) return inner.isInt ? 'integer' : 'number'
  if (inner instanceof z.ZodBoolean) return 'boolean'
  return textSchemas.some((text) => inner instanceof text) ? 'text' : 'json'
}

const textSchemas = [z.ZodString, z.ZodStringFormat, z.ZodEnum, z.ZodLiteral]

function isNullable(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodNullable) return true
  if (schema instanceof z.ZodDefault) return isNullable(schema.def.innerType)
  return false
}

export function snakeCase(name: string) {
  return name.replace('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Names come from definitions in the code, never from a request. */
function quoted(name: string) {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" is not a name of a table or column`)
  return raw(`"${name}"`)
}
