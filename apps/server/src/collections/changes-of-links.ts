import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Change } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { groupsOf, type LinkChange, type RemovedLink } from './links.ts'
import { memberField } from '../query/link-entries.ts'

/** Above this number of members, clients reread the list instead of receiving one message per item. */
const maxAnnounced = 500

type ChangesOfLinksInput = { account: number; item: string; links: readonly LinkChange[] }

/** The changes to announce for the items at the other end of an item's changed links, where they show these links. */
export async function changesOfLinks(
  tx: Transaction,
  { account, item, links }: ChangesOfLinksInput,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const { meta, added, removed } of links) {
    const other = Object.values<Collection>(collections).find(({ name }) => name === meta.of[0]?.collection)
    if (meta.shape !== 'ids' || !other) continue
    const input = { collection: other, account, item, ids: [...added, ...removed] }
    changes.push(...(meta.direction === 'to' ? await groupsChanged(tx, input) : membersChanged(input)))
  }
  return changes
}

type RemovedLinksInput = { collection: Collection; item: string; links: readonly RemovedLink[] }

/** The same for an item that was deleted with all its memberships. */
export async function changesOfRemovedLinks(
  tx: Transaction,
  { collection, item, links }: RemovedLinksInput,
): Promise<Change[]> {
  const changes: Change[] = []
  const groups = groupsOf(collection)
  const memberships = links.filter(({ field }) => field === memberField)
  for (const [account, all] of Map.groupBy(memberships, (link) => link.account)) {
    const [members, ofGroups] = [all.filter(({ owner }) => owner === item), all.filter(({ owner }) => owner !== item)]
    const other = Object.values<Collection>(collections).find(({ name }) => name === members[0]?.kind)
    if (other)
      changes.push(...membersChanged({ collection: other, account, item, ids: members.map(({ target }) => target) }))
    if (groups) {
      const ids = ofGroups.map(({ owner }) => owner)
      changes.push(...(await groupsChanged(tx, { collection: groups, account, item, ids })))
    }
  }
  return changes
}

type OtherEndInput = { collection: Collection; account: number; item: string; ids: readonly string[] }

/** A member shows the groups that its own account added it to; most collections show none. Its own policy is the same. */
function membersChanged({ collection, account, item, ids }: OtherEndInput): Change[] {
  const showsGroups = [...tableOf(collection).columns.values()].some(({ link }) => link?.direction === 'to')
  if (!showsGroups) return []
  const isPolicy = false
  if (ids.length > maxAnnounced) return [changeOf({ collection, account, item, action: 'reread', isPolicy })]
  return ids.map((id) => changeOf({ collection, account, item: id, action: 'save', isPolicy }))
}

/** A group shows its members, by which rules apply, and may belong to another account than its members. */
async function groupsChanged(tx: Transaction, { collection, account, item, ids }: OtherEndInput): Promise<Change[]> {
  const { isPolicy } = collection
  if (ids.length > maxAnnounced) return [changeOf({ collection, account, item, action: 'reread', isPolicy })]
  if (ids.length === 0) return []
  const table = tableOf(collection)
  const places = await tx.rows(
    z.object({ account: z.int(), item: z.uuid() }),
    sql`select ${table.account} as account, ${table.id} as item from ${table.name}
         where ${table.id} = any(${[...ids]}::uuid[])`,
  )
  return places.map((place) => changeOf({ collection, ...place, action: 'save', isPolicy }))
}

type ChangeOfInput = Omit<Change, 'collection'> & { collection: Collection }

function changeOf({ collection, ...place }: ChangeOfInput): Change {
  return { ...place, collection: collection.name }
}
