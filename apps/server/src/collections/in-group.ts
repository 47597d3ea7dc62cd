import type { Collection } from '@portcullis/contract/collection'
import sql, { type Sql } from 'sql-template-tag'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { memberField } from '../query/link-entries.ts'

type InGroupInput = { collection: Collection; kind: Collection; id: string; accounts: readonly number[] }

/** The condition that an item belongs to a group: as a member, or through its doors, sites or users. */
export function inGroup({ collection, kind, id, accounts }: InGroupInput): Sql {
  const members = sql`select link_target from link where link_owner = ${id}::uuid and link_field = ${memberField}`
  switch (collection.name) {
    case 'units':
      return ofUnits({ kind, members, accounts })
    case 'rules':
      return sql`rule_id in (select link_owner from link where link_field in ('who', 'where')
        and link_target = any(array(${members} union all select ${id}::uuid)))`
    case 'events':
      return sql`${eventColumns[kind.name]} = any(array(${members}))`
    default:
      return sql`${tableOf(collection).id} in (${members})`
  }
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
