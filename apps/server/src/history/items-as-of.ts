import type { Collection } from '@portcullis/contract/collection'
import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type LinkMeta, tableOf } from '../query/columns.ts'
import { linkEntries, memberField } from '../query/link-entries.ts'
import { itemOf } from '../query/read-items.ts'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { Item } from './record-history.ts'

type ItemsAsOfInput = {
  collection: Collection
  accounts: readonly number[]
  at: string
  only?: readonly string[]
  /** All that have a history, if it is missing. */
  fields?: readonly string[]
}

/**
 * The items of a collection as they were at a moment, by id: starts from the current items and reverts each later
 * change, newest first. Omits run-time state and secrets, which have no history; includes guarded values.
 */
export async function itemsAsOf(tx: Transaction, input: ItemsAsOfInput): Promise<Map<string, Item>> {
  const [items, entries, links] = await Promise.all([
    itemsNow(tx, input),
    entriesSince(tx, input),
    linksSince(tx, input),
  ])
  const steps = [...entries, ...links]
  for (const step of steps.toSorted((one, other) => other.at.localeCompare(one.at))) {
    const was = step.before(items.get(step.item))
    if (was) items.set(step.item, was)
    else items.delete(step.item)
  }
  return items
}

/** One change to revert: returns the item before it, given the item after it. */
type Step = { at: string; item: string; before: (after: Item | undefined) => Item | undefined }

const document = z.record(z.string(), z.unknown())

const itemRow = z.object({ item: z.string(), id: z.uuid() })

async function itemsNow(tx: Transaction, { collection, accounts, only, fields }: ItemsAsOfInput) {
  const table = tableOf(collection)
  const item = itemOf({ collection, fields: fieldsWithHistory(collection, fields), accounts: [] })
  const rows = await tx.rows(
    itemRow,
    prepared(sql`select ${item}::text as item, ${table.id} as id from ${table.source}
      where ${table.account} = any(${accounts}::int[]) ${among(only, table.id)}`),
  )
  return new Map(rows.map((row) => [row.id, document.parse(JSON.parse(row.item))]))
}

const entryRow = z.object({
  at: z.string(),
  item: z.uuid(),
  action: z.enum(['create', 'patch', 'delete']),
  before: document.nullable(),
})

async function entriesSince(
  tx: Transaction,
  { collection, accounts, at, only, ...input }: ItemsAsOfInput,
): Promise<Step[]> {
  const rows = await tx.rows(
    entryRow,
    prepared(sql`select ${precise(sql`history_at`)} as at, history_item as item, history_action as action, history_before as before
          from history
         where history_account = any(${accounts}::int[]) and history_collection = ${collection.name}
           and history_item is not null and history_action in ('create', 'patch', 'delete') and history_at >= ${afterwards(at)} ${among(only, sql`history_item`)}`),
  )
  const fields = fieldsWithHistory(collection, input.fields)
  return rows.map(({ at: when, item, action, before }) => {
    const previous = Object.fromEntries(Object.entries(before ?? {}).filter(([field]) => fields.includes(field)))
    return {
      at: when,
      item,
      before(after) {
        if (action === 'create') return undefined
        return action === 'delete' ? previous : after && { ...after, ...previous }
      },
    }
  })
}

const linkRow = z.object({
  at: z.string(),
  owner: z.uuid(),
  kind: z.string(),
  target: z.uuid(),
  action: z.enum(['added', 'removed']),
})

/** Members change from both ends, and the item at the other end has no history entry. */
async function linksSince(tx: Transaction, input: ItemsAsOfInput): Promise<Step[]> {
  const fields = fieldsWithHistory(input.collection, input.fields)
  const links = [...tableOf(input.collection).columns.values()].flatMap(({ field, link }) =>
    link && fields.includes(field) ? [linksOfField(tx, { ...input, field, link })] : [],
  )
  return (await Promise.all(links)).flat()
}

async function linksOfField(
  tx: Transaction,
  { accounts, at, only, field, link, collection }: Omit<ItemsAsOfInput, 'fields'> & Field,
): Promise<Step[]> {
  const isFrom = link.direction === 'from'
  const end = isFrom ? sql`link_history_owner` : sql`link_history_target`
  const kinds = isFrom ? link.of.map(({ kind }) => kind) : [collection.name]
  const rows = await tx.rows(
    linkRow,
    prepared(sql`select ${precise(sql`link_history_at`)} as at, link_history_owner as owner, link_history_kind as kind,
           link_history_target as target, link_history_action as action
          from link_history
         where link_history_account = any(${accounts}::int[]) and link_history_at >= ${afterwards(at)}
           and link_history_field = ${isFrom ? field : memberField} and link_history_kind = any(${kinds}::text[])
           ${among(only, end)}`),
  )
  return rows.map(({ at: when, owner, kind, target, action }) => {
    const [item, other] = isFrom ? [owner, target] : [target, owner]
    return {
      at: when,
      item,
      before: (after) =>
        after && { ...after, [field]: relinked(link, { value: after[field], kind, id: other, action }) },
    }
  })
}

type Field = { field: string; link: LinkMeta }
type Relinked = { value: unknown; kind: string; id: string; action: 'added' | 'removed' }

/** The list as it was before one link was added or removed. */
function relinked(link: LinkMeta, { value, kind, id, action }: Relinked) {
  const isIds = link.shape === 'ids'
  const keyOf = (entry: { kind: string; id: string }) => (isIds ? entry.id : `${entry.kind}/${entry.id}`)
  const keys = new Set(linkEntries(link, value).map(keyOf))
  if (action === 'added') keys.delete(keyOf({ kind, id }))
  else keys.add(keyOf({ kind, id }))
  const sorted = [...keys].toSorted()
  return isIds
    ? sorted
    : sorted.map((key) => ({ kind: key.slice(0, key.indexOf('/')), id: key.slice(key.indexOf('/') + 1) }))
}

function fieldsWithHistory({ entitySchema, fields }: Collection, among?: readonly string[]) {
  return Object.keys(entitySchema.shape).filter((field) => !(field in fields.state) && (among?.includes(field) ?? true))
}

function among(only: readonly string[] | undefined, id: Sql) {
  return only ? sql`and ${id} = any(${only}::uuid[])` : empty
}

/** The end of a moment. Moments have a precision of 1 ms, so changes within that millisecond count as made. */
export function afterwards(at: string) {
  return sql`${at}::timestamptz + interval '1 millisecond'`
}

/** Moments as texts that sort chronologically, to the microsecond. */
function precise(at: Sql) {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
}
