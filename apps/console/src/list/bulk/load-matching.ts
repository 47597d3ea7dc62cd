import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { type ListQuery, pageSize } from '@portcullis/contract/list-query'
import { client } from '../../session/client.ts'
import { reachOf } from '../../item/reach-of.ts'
import { mostSelected } from './selection.ts'

/** The items of all pages of a list, up to the most that can be chosen at once. */
export async function loadMatching<C extends Collection>(of: C, query: ListQuery): Promise<EntityOf<C>[]> {
  const found: EntityOf<C>[] = []
  for (let page = 0; found.length < mostSelected; page += 1) {
    const { items, page: info } = await client.of(of).list({ ...query, page, size: pageSize.most }, reachOf(of))
    found.push(...items)
    if (page + 1 >= info.totalPages) break
  }
  return found.slice(0, mostSelected)
}
