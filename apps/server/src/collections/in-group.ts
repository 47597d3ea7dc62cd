import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql, { type Sql } from 'sql-template-tag'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { memberField } from '../query/link-entries.ts'

type InGroupInput = {
  collection: Collection
  kind: Collection
  id: string
  members: readonly string[]
  accounts: readonly number[]
}

/** The condition that an item belongs to a group: as a member, or through its doors, sites or users. */
export function inGroup({ collection, kind, id, accounts, ...group }: InGroupInput): Sql {
  const members = membersInScope({ kind, id, accounts })
  switch (collection.name) {
    case 'units':
      return ofUnits({ kind, members, accounts })
    case 'rules':
      return sql`rule_id in (select link_owner from link where link_field in ('who', 'where')
        and link_target = any(array(${members} union all select ${id}::uuid)))`
    case 'events':
      // Also of members that have moved away: their events stay. By value: PostgreSQL then knows whether the members have many events or few, and chooses the index by it.
      return sql`${eventColumns[kind.name]} = any(${[...group.members]}::uuid[])`
    default:
      return sql`${tableOf(collection).id} in (${members})`
  }
}

/** The query of the ids of a group's members. */
export function membersOf(id: string) {
  return sql`select link_target from link where link_owner = ${id}::uuid and link_field = ${memberField}`
}

/** Those in scope. */
function membersInScope({ kind, id, accounts }: Pick<InGroupInput, 'kind' | 'id' | 'accounts'>) {
  const of = tableOf(kind)
    .columns.get(memberField)
    ?.link?.of.map(({ collection }) => collection)
  const members = Object.values<Collection>(collections).find(({ name }) => of?.includes(name))
  if (!members) throw new Error(`${kind.name} have no members.`)
  const table = tableOf(members)
  return sql`${membersOf(id)} and exists(select from ${table.name} where ${table.id} = link_target and ${belongsTo(table, accounts)})`
}

const eventColumns: Readonly<Record<string, Sql>> = {
  doorGroups: sql`event_door`,
  siteGroups: sql`event_site`,
  userGroups: sql`event_user`,
}

/** Controllers of doors in scope; those of a site are also the ones at the site without doors. */
function ofUnits({ kind, members, accounts }: { kind: Collection; members: Sql; accounts: readonly number[] }) {
  const ofDoors = (among: Sql) => sql`unit_id in (select door_unit from door
    where ${among} in (${members}) and ${belongsTo({ account: sql`door_account` }, accounts)})`
  return kind.name === 'siteGroups'
    ? sql`(unit_site in (${members}) or ${ofDoors(sql`door_site`)})`
    : ofDoors(sql`door_id`)
}
