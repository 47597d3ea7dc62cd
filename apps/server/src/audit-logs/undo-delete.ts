import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { createItem } from '../collections/create.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { gone, withDeletedNamed } from './with-deleted-named.ts'
import { currentItem, noLongerValid, visibleItem, type Undoing } from './undoing.ts'
import sql from 'sql-template-tag'
import { recordChanges } from '../changes/record-change.ts'
import { changesOfRemovedLinks } from '../collections/changes-of-links.ts'
import { memberField } from '../query/link-entries.ts'
import { tableOf } from '../query/columns.ts'
import { groupsOf, includeAncestors } from '../collections/links.ts'

/** Recreates the item under its previous id and restores its group memberships. */
export async function undoDelete(tx: Transaction, undoing: Undoing) {
  const { collection, hooks, access, entry } = undoing
  const before = entry.before ?? {}
  if (await currentItem(tx, undoing)) throw alreadyRestored(await visibleItem(tx, undoing))
  const again = { id: entry.item, version: z.int().parse(before['version']) + 1, undoes: entry.id }
  const item = restorable(undoing, before)
  const made = await withDeletedNamed(tx, { collection, item }, () =>
    createItem(tx, { collection, hooks, access, item, again }),
  )
  await restoreMemberships(tx, undoing)
  return {
    action: 'create' as const,
    entry: made.entry,
    item: await visibleItem(tx, undoing),
    notRestored: lost(undoing, { before, after: made.item }),
  }
}

/**
 * The fields to recreate the item from: those that users may set, validated as on creation, and those that the server
 * had set.
 */
function restorable({ collection, hooks }: Undoing, before: Item): Item {
  const { fields: groups, createSchema } = collection
  const { required, optional, fixed, server } = groups
  const given = pick(before, Object.keys({ ...required, ...optional, ...fixed }))
  const result = createSchema.extend(hooks.asRead ?? {}).safeParse(given, { reportInput: true })
  if (!result.success) throw noLongerValid(result.error)
  const apart = hooks.lostOnDelete?.(before) ?? []
  return {
    ...result.data,
    ...pick(
      before,
      Object.keys(server).filter((field) => !apart.includes(field)),
    ),
  }
}

/** Fields that were not restored. */
function lost({ collection, hooks }: Undoing, { before, after }: { before: Item; after: Item }) {
  const { required, optional, fixed, server } = collection.fields
  const fields = Object.keys({ ...required, ...optional, ...fixed, ...server })
  const other = fields.filter((field) => field in before && !isDeepStrictEqual(before[field], after[field]))
  return [...new Set([...other, ...(hooks.lostOnDelete?.(before) ?? [])])]
}

function pick(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.filter((field) => field in item).map((field) => [field, item[field]]))
}

function alreadyRestored(item: Item) {
  return new AppError('already_restored', {}, { item })
}

const left = z.object({ account: z.int(), group: z.uuid(), isThere: z.boolean() })

/**
 * Restores the memberships that the deletion removed, also in groups of accounts above: the deletion needs no right to
 * change these groups, so undoing it needs none either.
 */
async function restoreMemberships(tx: Transaction, { collection, access, entry }: Undoing) {
  const groups = groupsOf(collection)
  if (!groups) return
  await includeAncestors(tx, access.account.key)
  const { name, id } = tableOf(groups)
  const memberships = await tx.rows(
    left,
    sql`select distinct link_history_account as account, link_history_owner as "group",
           exists (select from ${name} where ${id} = link_history_owner) as "isThere"
          from link_history
         where link_history_position = ${entry.position} and link_history_target = ${entry.item}
           and link_history_field = ${memberField} and link_history_action = 'removed'`,
  )
  const ended = memberships.filter(({ isThere }) => !isThere)
  // Names of groups in accounts above are hidden from accounts below.
  const named = ended.filter(({ account }) => access.covered.includes(account)).map(({ group }) => group)
  if (ended.length > 0) throw await gone(tx, [{ field: groups.name, ids: named }])
  await tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    select account, owner, ${memberField}, ${collection.name}, ${entry.item}::uuid
      from unnest(${memberships.map(({ account }) => account)}::int[],
                  ${memberships.map(({ group }) => group)}::uuid[]) membership (account, owner)
        on conflict do nothing`)
  const kind = collection.name
  const links = memberships.map(({ account, group: owner }) => ({
    account,
    owner,
    field: memberField,
    kind,
    target: entry.item,
  }))
  await recordChanges(tx, await changesOfRemovedLinks(tx, { collection, item: entry.item, links }))
}
