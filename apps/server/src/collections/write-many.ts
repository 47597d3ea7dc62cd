import type { Collection } from '@portcullis/contract/collection'
import sql, { join, type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { type Change, recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import { changesOfEntries, type Item, recordHistoryOf } from '../history/record-history.ts'
import { Turns } from '../limits/turns.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { type Column, tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { readItems } from '../query/read-items.ts'
import { notFound } from './get.ts'
import { linksIn } from './links.ts'
import { conflict, demandUnchanged, pick } from './patch.ts'
import { findUnknownReferences } from './references.ts'
import { writable } from './write-rows.ts'

/** By account tree: many writes let all other changes of its policy wait, such as the end of a lockdown. */
export const bulkWrites = new Turns({ most: 1, waiting: 2 })

/** A creation, a change or a deletion that has been parsed. */
export type Plan =
  | { action: 'create'; id: string; item: Item }
  | { action: 'patch'; id: string; changes: Item; asRead: Item; expected: number | undefined }
  | { action: 'delete'; id: string; expected: number | undefined }

/** The current item of a plan, absent for a creation, and what forbids the plan. */
export type Examined = { plan: Plan; before: Item | undefined; refusal: AppError | undefined }

type ExamineInput = { collection: Collection; access: Access; plans: readonly Plan[] }

/**
 * Examines many writes with a few queries, as the calls for single items do; each item may be in one plan only. Other changes of the
 * account tree's policy then wait until the transaction ends. For policy collections without hooks, guarded fields and items that
 * refer to them, or for changes that none of these concern.
 */
export async function examinePlans(tx: Transaction, { collection, access, plans }: ExamineInput): Promise<Examined[]> {
  lockTree(tx, { root: access.account.root, turn: 'alone' })
  const ids = plans.flatMap((plan) => (plan.action === 'create' ? [] : [plan.id]))
  const [items, unknown] = await Promise.all([
    readAll(tx, { collection, account: access.account.key, ids }),
    findUnknownReferences(tx, { collection, items: plans.map(fieldsOf), access }),
  ])
  return plans.map((plan, at) => {
    const before = items.get(plan.id)
    return { plan, before, refusal: refusalOf(plan, { collection, before }) ?? unknown[at] }
  })
}

/** Writes plans that nothing forbids. Returns the ids of their history entries; all take the same version of the policy. */
export async function writePlans(
  tx: Transaction,
  { collection, access, examined }: Omit<ExamineInput, 'plans'> & { examined: readonly Examined[] },
): Promise<string[]> {
  const account = access.account.key
  const all = examined.map(({ plan }) => plan)
  const kept = all.filter(({ action }) => action !== 'delete')
  const rows = kept.map((plan) => ({ id: plan.id, fields: fieldsOf(plan), isNew: plan.action === 'create' }))
  writeColumns(tx, { collection, account, rows })
  writeSubjects(tx, { collection, account, rows })
  deleteAll(tx, { collection, account, ids: all.flatMap(({ action, id }) => (action === 'delete' ? [id] : [])) })
  const written = await readAll(tx, { collection, account, ids: kept.map(({ id }) => id) })
  const entries = examined.map(({ plan: { action, id }, before }) => {
    const values = differences(before, written.get(id))
    return { id: uuidv7(), account, item: id, action, ...values }
  })
  const { name, isPolicy } = collection
  const changes = entries.map((entry): Change => {
    const action = entry.action === 'delete' ? 'remove' : 'save'
    return { account, collection: name, item: entry.item, isPolicy, action }
  })
  await recordChanges(tx, [...changes, ...changesOfEntries(entries)])
  if (entries.length > 0) recordHistoryOf(tx, { access, collection: name, policyVersion: 'next', entries })
  return entries.map(({ id }) => id)
}

function fieldsOf(plan: Plan): Item {
  if (plan.action === 'delete') return {}
  return plan.action === 'create' ? plan.item : plan.changes
}

type ReadAllInput = { collection: Collection; account: number; ids: readonly string[] }

const document = z.record(z.string(), z.unknown())

async function readAll(tx: Transaction, { collection, account, ids }: ReadAllInput) {
  if (ids.length === 0) return new Map<string, Item>()
  const table = tableOf(collection)
  const where = sql`${table.id} = any(${ids}::uuid[]) and ${belongsTo(table, [account])}`
  const rows = await readItems(tx, { collection, fields: allFields(collection), where })
  return new Map(rows.map(({ id, item }) => [id, document.parse(JSON.parse(item))]))
}

/** The same refusals as for a single item, in the same order. */
function refusalOf(plan: Plan, { collection, before }: { collection: Collection; before: Item | undefined }) {
  if (plan.action === 'create') return undefined
  if (!before) return notFound(collection)
  if (plan.expected !== undefined && plan.expected !== before['version']) return conflict(before)
  if (plan.action === 'delete') return undefined
  try {
    demandUnchanged(plan.asRead, before)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  return undefined
}

/** What the audit log shows: whole items where they begin or end, otherwise the changed fields. */
function differences(before: Item | undefined, after: Item | undefined) {
  if (!before || !after) return { before: before ?? null, after: after ?? null }
  const changed = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]))
  return { before: pick(before, changed), after: pick(after, changed) }
}

type Row = { id: string; fields: Item; isNew: boolean }
type Rows = { collection: Collection; account: number; rows: readonly Row[] }

/** One statement for all rows that set the same columns. */
function writeColumns(tx: Transaction, { collection, account, rows }: Rows) {
  const columnsOf = ({ fields }: Row) => writable(collection, fields)
  const groups = Map.groupBy(rows, (row) => [row.isNew, ...columnsOf(row).map(({ field }) => field)].join(' '))
  for (const group of groups.values()) {
    const columns = group[0] ? columnsOf(group[0]) : []
    const source = recordsOf(collection, { columns, rows: group })
    tx.send((group[0]?.isNew ? insertFrom : updateFrom)({ collection, account, columns, source }))
  }
}

type Statement = { collection: Collection; account: number; columns: readonly Column[]; source: Sql }

function insertFrom({ collection, account, columns, source }: Statement) {
  const table = tableOf(collection)
  const names = join([table.id, ...columns.map(({ bare }) => bare)])
  return sql`insert into ${table.name} (${table.account}, ${names}) select ${account}::int, ${names} from ${source}`
}

function updateFrom({ collection, account, columns, source }: Statement) {
  const table = tableOf(collection)
  const set = [
    ...columns.map(({ bare }) => sql`${bare} = given.${bare}`),
    sql`${table.version} = ${table.name}.${table.version} + 1`,
    sql`${table.updatedAt} = now()`,
  ]
  return sql`update ${table.name} set ${join(set)} from ${source} given
    where ${table.name}.${table.id} = given.${table.id} and ${table.name}.${table.account} = ${account}`
}

function recordsOf(collection: Collection, { columns, rows }: { columns: readonly Column[]; rows: readonly Row[] }) {
  const { name, columns: all } = tableOf(collection)
  const id = all.get('_id')?.plainName ?? ''
  const records = rows.map((row) => ({
    [id]: row.id,
    ...Object.fromEntries(columns.map(({ field, plainName }) => [plainName, row.fields[field]])),
  }))
  return sql`jsonb_populate_recordset(null::${name}, ${JSON.stringify(records)}::jsonb)`
}

/** Replaces the subjects that the rows name, such as the doors of rules. */
function writeSubjects(tx: Transaction, { collection, account, rows }: Rows) {
  const lists = rows.flatMap(({ id, fields }) => linksIn(collection, fields).map((links) => ({ owner: id, ...links })))
  if (lists.length === 0) return
  const entries = lists.flatMap(({ owner, field, entries: all }) =>
    all.map(({ kind, id: target }) => ({ owner, field, kind, target })),
  )
  const desired = sql`unnest(${entries.map(({ owner }) => owner)}::uuid[], ${entries.map(({ field }) => field)}::text[],
    ${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ target }) => target)}::uuid[]) desired (owner, field, kind, target)`
  tx.send(sql`delete from link using unnest(${lists.map(({ owner }) => owner)}::uuid[], ${lists.map(({ field }) => field)}::text[])
      list (owner, field)
    where link_owner = list.owner and link_field = list.field and not exists (select from ${desired}
      where owner = link_owner and desired.field = link_field and kind = link_kind and target = link_target)`)
  tx.send(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    select ${account}::int, owner, field, kind, target from ${desired} on conflict do nothing`)
}

function deleteAll(tx: Transaction, { collection, account, ids }: ReadAllInput) {
  if (ids.length === 0) return
  const table = tableOf(collection)
  tx.send(sql`delete from link where link_owner = any(${ids}::uuid[])`)
  tx.send(sql`delete from ${table.name} where ${table.id} = any(${ids}::uuid[]) and ${belongsTo(table, [account])}`)
}
