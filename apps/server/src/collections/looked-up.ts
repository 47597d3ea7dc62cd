import type { Collection } from '@portcullis/contract/collection'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { filterCondition } from '../query/filter.ts'
import type { ListSearch } from '../query/list-request.ts'
import type { CollectionHooks } from './collection-hooks.ts'

type LookedUpInput = { collection: Collection; hooks: CollectionHooks; access: Access; request: ListSearch }

/**
 * The filter and the search of a request for the stored values. The user's right is checked before, and the limits of
 * filters here, because each value costs time.
 */
export async function lookedUp(database: Database, { collection, hooks, access, request }: LookedUpInput) {
  if (!hooks.lookUp) return request
  filterCondition(request.filter, { table: tableOf(collection), queryable: collection.queryable })
  return hooks.lookUp(database, { access, given: request })
}
