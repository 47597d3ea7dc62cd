import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { type Column, type LinkMeta, snakeCase, tableOf } from './columns.ts'

const ids = z.array(z.uuid())
const subjects = z.array(z.object({ kind: z.string(), id: z.uuid() }))

/** The field under which members of groups are kept; `linksBack` reads the same rows from the other end. */
export const memberField = 'members'

/** What a field of links points at, whichever shape it has in the document. */
export function linkEntries(meta: LinkMeta, value: unknown) {
  if (meta.shape === 'ids') {
    const [target] = meta.of
    return target ? ids.parse(value).map((id) => ({ ...target, id })) : []
  }
  return subjects.parse(value).flatMap(({ kind, id }) => {
    const target = meta.of.find((known) => known.kind === kind)
    return target ? [{ ...target, id }] : []
  })
}

export type LinkChange = { field: string; added: string[]; removed: string[]; meta: LinkMeta }

type Asked = { collection: Collection; account: number; id: string; item: Item }

/** Makes the rows of every field of links that the item carries, and answers what was added and removed. */
export async function writeLinks(tx: Transaction, { collection, account, id, item }: Asked) {
  const changes: LinkChange[] = []
  for (const column of tableOf(collection).columns.values()) {
    const value = item[column.field]
    if (!column.link || value === undefined) continue
    const change = await writeField(tx, { column, meta: column.link, account, id, value, collection })
    if (change.added.length + change.removed.length > 0) changes.push(change)
  }
  return changes
}

type FieldAsked = {
  column: Column
  meta: LinkMeta
  account: number
  id: string
  value: unknown
  collection: Collection
}

async function writeField(tx: Transaction, { column, meta, account, id, value, collection }: FieldAsked) {
  const { field } = column
  const wanted = linkEntries(meta, value).map((entry) => `${entry.kind}/${entry.id}`)
  const rows = meta.direction === 'from' ? rowsFrom(field) : rowsTo(collection.name)
  const current = await tx.rows(
    z.object({ kind: z.string(), id: z.uuid() }),
    meta.direction === 'from'
      ? sql`select link_kind as kind, link_target as id from link where link_owner = ${id} and link_field = ${field}`
      : sql`select ${column.link?.of[0]?.kind ?? ''} as kind, link_owner as id from link
             where link_target = ${id} and link_field = ${memberField} and link_account = ${account}`,
  )
  const known = new Set(current.map((entry) => `${entry.kind}/${entry.id}`))
  const added = [...new Set(wanted)].filter((entry) => !known.has(entry))
  const removed = [...known].filter((entry) => !wanted.includes(entry))
  if (removed.length > 0) await rows.remove(tx, { id, entries: removed.map(parts) })
  if (added.length > 0) await rows.add(tx, { account, id, entries: added.map(parts) })
  return { field, added: added.map((entry) => parts(entry).id), removed: removed.map((entry) => parts(entry).id), meta }
}

type Entries = { id: string; entries: { kind: string; id: string }[] }

function rowsFrom(field: string) {
  return {
    add(tx: Transaction, { account, id, entries }: Entries & { account: number }) {
      return tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
        select ${account}, ${id}::uuid, ${field}, entry.kind, entry.id
          from unnest(${entries.map((e) => e.kind)}::text[], ${entries.map((e) => e.id)}::uuid[]) entry (kind, id)`)
    },
    remove(tx: Transaction, { id, entries }: Entries) {
      return tx.run(sql`delete from link where link_owner = ${id} and link_field = ${field}
        and (link_kind, link_target) in (select * from
          unnest(${entries.map((e) => e.kind)}::text[], ${entries.map((e) => e.id)}::uuid[]))`)
    },
  }
}

function rowsTo(own: string) {
  return {
    add(tx: Transaction, { account, id, entries }: Entries & { account: number }) {
      return tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
        select ${account}, owner, ${memberField}, ${own}, ${id}::uuid from unnest(${entries.map((e) => e.id)}::uuid[]) owner`)
    },
    remove(tx: Transaction, { id, entries }: Entries) {
      return tx.run(sql`delete from link where link_target = ${id} and link_field = ${memberField}
        and link_owner = any(${entries.map((e) => e.id)}::uuid[])`)
    },
  }
}

const removedLink = z.object({
  account: z.int(),
  owner: z.uuid(),
  field: z.string(),
  kind: z.string(),
  target: z.uuid(),
})
export type RemovedLink = z.output<typeof removedLink>

/** Takes an item out of every group and removes what it links to itself. */
export function removeLinks(tx: Transaction, id: string): Promise<RemovedLink[]> {
  return tx.rows(
    removedLink,
    sql`delete from link where link_owner = ${id} or (link_target = ${id} and link_field = ${memberField})
        returning link_account as account, link_owner as owner, link_field as field, link_kind as kind,
                  link_target as target`,
  )
}

/** The collection whose members are items of this one. */
export function groupsOf({ name }: Collection) {
  return Object.values<Collection>(collections).find((other) =>
    tableOf(other)
      .columns.get(memberField)
      ?.link?.of.some((target) => target.collection === name),
  )
}

/**
 * Brings the accounts above into sight: their rules and groups may name what lies below them. For what must hold
 * whoever asks, not for what is answered.
 */
export function lookAbove(tx: Transaction, account: number) {
  return tx.run(sql`select set_config('app.accounts', (current_setting('app.accounts')::int[] || array(
    select account_closure_ancestor from account_closure where account_closure_descendant = ${account}))::text, true)`)
}

/**
 * How many things other than groups name the item, by their word: rules and the like, which must not silently come to
 * mean something else.
 */
export async function countNaming(tx: Transaction, id: string) {
  const rows = await tx.rows(
    z.object({ field: z.string(), naming: z.number() }),
    sql`select link_field as field, count(distinct link_owner) as naming from link
         where link_target = ${id} and link_field <> ${memberField} group by link_field order by link_field`,
  )
  return rows.map(({ field, naming }) => ({ word: wordOfOwner(field), naming }))
}

function wordOfOwner(field: string) {
  const owner = Object.values<Collection>(collections).find((other) => tableOf(other).columns.get(field)?.link)
  return snakeCase(owner?.entity ?? 'other').replaceAll('_', ' ')
}

function parts(entry: string) {
  const slash = entry.indexOf('/')
  return { kind: entry.slice(0, slash), id: entry.slice(slash + 1) }
}
