import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { get } from './get.ts'
import { memberField } from '../query/link-entries.ts'
import { list } from './list.ts'
import type { CollectionHooks } from './collection-hooks.ts'

type ListGroupInput = {
  collection: Collection
  hooks: CollectionHooks
  groups: Collection
  access: Access
  id: string
  query: unknown
}

/** Returns a page of a group's members, with the list call of their collection. A group out of scope gives 404. */
export async function listGroup(database: Database, { groups, id, ...input }: ListGroupInput) {
  const { collection, access } = input
  demand(access, { action: 'view', subject: collection.subject })
  await get(database, { collection: groups, access, id })
  const among = sql`${tableOf(collection).id} in
    (select link_target from link where link_owner = ${id}::uuid and link_field = ${memberField})`
  return list(database, { ...input, among })
}
