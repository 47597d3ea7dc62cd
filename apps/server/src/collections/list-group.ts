import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { groupKindsOf } from '@portcullis/contract/group-lookups'
import sql from 'sql-template-tag'
import { type Access, demand, demandAbilities } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { notFound, requireId } from './get.ts'
import { inGroup } from './in-group.ts'
import { list } from './list.ts'

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
  const kind = await kindOfGroup(database, { collection, access, id })
  if (!kind) throw notFound(first)
  return list(database, { ...input, among: inGroup({ collection, kind, id, accounts: access.reads }) })
}

/** The kind of a group in scope, among those that the user may view. */
async function kindOfGroup(database: Database, { collection, access, id }: Omit<ListGroupInput, 'hooks' | 'query'>) {
  const kinds = groupKindsOf(collection)
  demandAbilities(access, [kinds.map(({ subject }) => ({ action: 'view' as const, subject }))])
  const visible = kinds.filter(({ subject }) => isAllowed(access.rules, { action: 'view', subject }))
  const found = await askAs(
    database,
    access,
    visible.map((kind) => {
      const table = tableOf(kind)
      return sql`select 1 from ${table.name} where ${table.id} = ${id} and ${belongsTo(table, access.reads)}`
    }),
  )
  return visible.find((_, at) => found[at]?.length === 1)
}
