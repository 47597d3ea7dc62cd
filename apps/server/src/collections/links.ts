import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import type { ItemCount } from '@portcullis/contract/errors/parameters'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { type LinkMeta, tableOf } from '../query/columns.ts'
import { linkEntries, memberField } from '../query/link-entries.ts'

/** The new entries of a link field. */
export type Links = { meta: LinkMeta; field: string; entries: ReturnType<typeof linkEntries> }

/** The link fields that an item sets, including those that it empties. */
export function linksIn(collection: Collection, item: Item): Links[] {
  return [...tableOf(collection).columns.values()].flatMap(({ field, link: meta }) =>
    meta && item[field] !== undefined ? [{ meta, field, entries: linkEntries(meta, item[field]) }] : [],
  )
}

/** The ids that a change added to and removed from a link field. */
export type LinkChange = { meta: LinkMeta; added: string[]; removed: string[] }

type WriteLinksInput = { collection: Collection; account: number; id: string; links: readonly Links[] }

/** Replaces the rows of link fields, in one round trip. */
export function writeLinks(
  tx: Transaction,
  { collection, account, id, links }: WriteLinksInput,
): Promise<LinkChange[]> {
  return Promise.all(
    links.map(async ({ meta, field, entries }) => {
      const rows = { account, id, ids: entries.map((entry) => entry.id) }
      const { remove, insert } =
        meta.direction === 'from'
          ? rowsFrom({ ...rows, field, kinds: entries.map(({ kind }) => kind) })
          : rowsTo({ ...rows, own: collection.name })
      const [removed, added] = await Promise.all([tx.rows(otherEnd, remove), tx.rows(otherEnd, insert)])
      return { meta, removed: removed.map((row) => row.id), added: added.map((row) => row.id) }
    }),
  )
}

const otherEnd = z.object({ id: z.uuid() })

type Rows = { account: number; id: string; ids: string[] }

function rowsFrom({ account, id, ids, field, kinds }: Rows & { field: string; kinds: string[] }) {
  const desired = sql`unnest(${kinds}::text[], ${ids}::uuid[])`
  return {
    remove: sql`delete from link where link_owner = ${id} and link_field = ${field}
      and (link_kind, link_target) not in (select * from ${desired}) returning link_target as id`,
    insert: sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select ${account}::int, ${id}::uuid, ${field}, kind, target from ${desired} entry (kind, target)
          on conflict do nothing returning link_target as id`,
  }
}

/** The same rows from the other end: memberships of this item in groups, as far as its own account created them. */
function rowsTo({ account, id, ids, own }: Rows & { own: string }) {
  return {
    remove: sql`delete from link where link_target = ${id} and link_field = ${memberField} and link_account = ${account}
      and link_owner <> all(${ids}::uuid[]) returning link_owner as id`,
    insert: sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select ${account}::int, owner, ${memberField}, ${own}, ${id}::uuid from unnest(${ids}::uuid[]) owner
          on conflict do nothing returning link_owner as id`,
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

/** Removes an item from all groups, and all its own links. */
export function removeLinks(tx: Transaction, id: string): Promise<RemovedLink[]> {
  return tx.rows(
    removedLink,
    sql`delete from link where link_owner = ${id} or (link_target = ${id} and link_field = ${memberField})
        returning link_account as account, link_owner as owner, link_field as field, link_kind as kind,
                  link_target as target`,
  )
}

/** The group collection whose members are items of this one. */
export function groupsOf({ name }: Collection) {
  return Object.values<Collection>(collections).find((other) =>
    tableOf(other)
      .columns.get(memberField)
      ?.link?.of.some((target) => target.collection === name),
  )
}

/**
 * Adds the ancestor accounts to the scope of the transaction: their rules and groups may refer to items below. For
 * integrity checks only, not for responses.
 */
export function includeAncestors(tx: Transaction, account: number) {
  return tx.run(sql`select set_config('app.accounts', (current_setting('app.accounts')::int[] || array(
    select account_closure_ancestor from account_closure where account_closure_descendant = ${account}))::text, true)`)
}

/**
 * Counts the references to the item, except from groups: deleting it would silently change what they mean. References
 * from accounts outside `inSight` are reported without collection or count.
 */
export async function findReferences(
  tx: Transaction,
  { id, visibleAccounts }: { id: string; visibleAccounts: readonly number[] },
) {
  const isSeen = sql`link_account = any(${visibleAccounts}::int[])`
  const rows = await tx.rows(
    z.object({ field: z.string(), naming: z.number(), isElsewhere: z.boolean() }),
    sql`select link_field as field, count(distinct link_owner) filter (where ${isSeen}) as naming,
               bool_or(not ${isSeen}) as "isElsewhere" from link
         where link_target = ${id} and link_field <> ${memberField} group by link_field order by link_field`,
  )
  const seen = rows.flatMap(({ field, naming }): ItemCount[] =>
    naming > 0 ? [{ collection: ownerOf(field)?.name ?? null, count: naming, isMore: false }] : [],
  )
  return rows.some(({ isElsewhere }) => isElsewhere)
    ? [...seen, { collection: null, count: null, isMore: false }]
    : seen
}

function ownerOf(field: string) {
  return Object.values<Collection>(collections).find((other) => tableOf(other).columns.get(field)?.link)
}
