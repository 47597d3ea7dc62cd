import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { belongsTo } from './belongs-to.ts'
import { tableOf } from './columns.ts'
import { notFound } from './get.ts'
import { memberField } from './links.ts'
import { list } from './list.ts'
import type { ListRequest } from './list-request.ts'
import { readItems } from './read-items.ts'

type Asked = { collection: Collection; groups: Collection; access: Access; id: string; request: ListRequest }

/** Answers a page of a group's members, as the list of their collection would; a group out of sight is not there. */
export async function listGroup(database: Database, { collection, groups, access, id, request }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  demand(access, { action: 'view', subject: groups.subject })
  if (!(await isInSight(database, { groups, access, id }))) throw notFound(groups)
  const among = sql`${tableOf(collection).id} in
    (select link_target from link where link_owner = ${id}::uuid and link_field = ${memberField})`
  return list(database, { collection, access, request, among })
}

async function isInSight(database: Database, { groups, access, id }: Pick<Asked, 'groups' | 'access' | 'id'>) {
  if (!z.uuid().safeParse(id).success) return false
  const table = tableOf(groups)
  const where = sql`${table.id} = ${id} and ${belongsTo(table, access.reads)}`
  const found = await database.inAccounts(access.reads, (tx) =>
    readItems(tx, { collection: groups, fields: ['_id'], where }),
  )
  return found.length > 0
}
