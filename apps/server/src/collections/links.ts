import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import type { ItemCount } from '@portcullis/contract/errors/parameters'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { type LinkMeta, tableOf } from '../query/columns.ts'
import { linkEntries, memberField } from '../query/link-entries.ts'

/** What a field of links is to hold. */
export type Links = { meta: LinkMeta; field: string; entries: ReturnType<typeof linkEntries> }

/** The fields of links that an item carries, whether to be filled or to be emptied. */
export function linksIn(collection: Collection, item: Item): Links[] {
  return [...tableOf(collection).columns.values()].flatMap(({ field, link: meta }) =>
    meta && item[field] !== undefined ? [{ meta, field, entries: linkEntries(meta, item[field]) }] : [],
  )
}

/** The ids at the other end of a field of links that came and went. */
export type LinkChange = { meta: LinkMeta; added: string[]; removed: string[] }

type Asked = { collection: Collection; account: number; id: string; links: readonly Links[] }

/** Makes the rows of fields of links what they are to be; everything is given to the database at once. */
export function writeLinks(tx: Transaction, { collection, account, id, links }: Asked): Promise<LinkChange[]> {
  return Promise.all(
    links.map(async ({ meta, field, entries }) => {
      const rows = { account, id, ids: entries.map((entry) => entry.id) }
      const { leave, come } =
        meta.direction === 'from'
          ? rowsFrom({ ...rows, field, kinds: entries.map(({ kind }) => kind) })
          : rowsTo({ ...rows, own: collection.name })
      const [removed, added] = await Promise.all([tx.rows(otherEnd, leave), tx.rows(otherEnd, come)])
      return { meta, removed: removed.map((row) => row.id), added: added.map((row) => row.id) }
    }),
  )
}

const otherEnd = z.object({ id: z.uuid() })

type Rows = { account: number; id: string; ids: string[] }

function rowsFrom({ account, id, ids, field, kinds }: Rows & { field: string; kinds: string[] }) {
  const wanted = sql`unnest(${kinds}::text[], ${ids}::uuid[])`
  return {
    leave: sql`delete from link where link_owner = ${id} and link_field = ${field}
      and (link_kind, link_target) not in (select * from ${wanted}) returning link_target as id`,
    come: sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select ${account}::int, ${id}::uuid, ${field}, kind, target from ${wanted} entry (kind, target)
          on conflict do nothing returning link_target as id`,
  }
}

/** The same rows from the other end: groups that this item is a member of, as far as its own account has put it there. */
function rowsTo({ account, id, ids, own }: Rows & { own: string }) {
  return {
    leave: sql`delete from link where link_target = ${id} and link_field = ${memberField} and link_account = ${account}
      and link_owner <> all(${ids}::uuid[]) returning link_owner as id`,
    come: sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
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
 * What other than groups names the item, which must not silently come to mean something else: in these accounts how many things,
 * by their word; in others, whether anything does. How many there are is nothing for those who don't see them.
 */
export async function findNaming(tx: Transaction, { id, inSight }: { id: string; inSight: readonly number[] }) {
  const isSeen = sql`link_account = any(${inSight}::int[])`
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
