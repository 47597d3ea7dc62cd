import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { groupKindsOf } from '@portcullis/contract/group-lookups'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand, demandAbilities } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { notFound, requireId } from './get.ts'
import { inGroup, membersOf } from './in-group.ts'
import { list } from './list.ts'

const ids = z.array(z.uuid())

type ListGroupInput = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  id: string
  query: unknown
}

/**
 * Returns a page of the items that belong to a group, with the list call of their collection. A group out of scope gives
 * 404, and so does a collection whose items belong to no groups.
 */
export async function listGroup(database: Database, { id, ...input }: ListGroupInput) {
  const { collection, access } = input
  const [first] = groupKindsOf(collection)
  if (!first) throw new AppError('no_group_lookup', { collection: collection.name })
  demand(access, { action: 'view', subject: collection.subject })
  requireId(first, id)
  const group = await groupInScope(database, { collection, access, id })
  if (!group) throw notFound(first)
  return list(database, { ...input, among: inGroup({ collection, ...group, id, accounts: access.reads }) })
}

/** The kind of a group in scope, among those that the user may view, and its members. */
async function groupInScope(database: Database, { collection, access, id }: Omit<ListGroupInput, 'hooks' | 'query'>) {
  const kinds = groupKindsOf(collection)
  demandAbilities(access, [kinds.map(({ subject }) => ({ action: 'view' as const, subject }))])
  const visible = kinds.filter(({ subject }) => isAllowed(access.rules, { action: 'view', subject }))
  const found = await askAs(
    database,
    access,
    visible.map((kind) => {
      const table = tableOf(kind)
      return sql`select array_to_json(array(${membersOf(id)}))::text from ${table.name} where ${table.id} = ${id} and ${belongsTo(table, access.reads)}`
    }),
  )
  const at = found.findIndex((rows) => rows.length === 1)
  const kind = visible[at]
  return kind && { kind, members: ids.parse(JSON.parse(z.string().parse(found[at]?.[0]?.[0]))) }
}
