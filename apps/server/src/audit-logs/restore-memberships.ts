import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import { changesOfRemovedLinks } from '../collections/changes-of-links.ts'
import { memberField } from '../query/link-entries.ts'
import { tableOf } from '../query/columns.ts'
import { groupsOf, lookAbove } from '../collections/links.ts'
import type { Transaction } from '../database/database.ts'
import { gone } from './naming-what-is-gone.ts'
import type { Undoing } from './undoing.ts'

const left = z.object({ account: z.int(), group: z.uuid(), isThere: z.boolean() })

/**
 * Puts an item back into the groups that its deletion took it out of, those of the accounts above too: a deletion does not
 * ask who may change them, so neither does its undoing.
 */
export async function restoreMemberships(tx: Transaction, { collection, access, entry }: Undoing) {
  const groups = groupsOf(collection)
  if (!groups) return
  await lookAbove(tx, access.account.key)
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
  // What accounts above called theirs is not for those below to read.
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
