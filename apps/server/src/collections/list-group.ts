import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { get } from './get.ts'
import { memberField } from '../query/link-entries.ts'
import { list } from './list.ts'
import type { ListRequest } from '../query/list-request.ts'
import type { ServerHalf } from './server-half.ts'

type Asked = {
  collection: Collection
  half: ServerHalf
  groups: Collection
  access: Access
  id: string
  request: ListRequest
}

/** Answers a page of a group's members, as the list of their collection would; a group out of sight is not there. */
export async function listGroup(database: Database, { groups, id, ...asked }: Asked) {
  const { collection, access } = asked
  demand(access, { action: 'view', subject: collection.subject })
  await get(database, { collection: groups, access, id })
  const among = sql`${tableOf(collection).id} in
    (select link_target from link where link_owner = ${id}::uuid and link_field = ${memberField})`
  return list(database, { ...asked, among })
}
