import type { Collection } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import type { Filter, ListQuery } from '@portcullis/contract/list-query'

/** Keys of the query cache: every key of a collection in an account begins with `collectionKey`. */
export function collectionKey(of: Collection, accountRef: string) {
  return ['collection', of.name, accountRef] as const
}

export function listsKey(of: Collection, accountRef: string) {
  return [...collectionKey(of, accountRef), 'list'] as const
}

/** A list that inserts new items itself, unlike lists that are read again. */
export function feedKey({
  of,
  accountRef,
  filter,
}: {
  of: Collection
  accountRef: string
  filter: Filter | undefined
}) {
  return [...collectionKey(of, accountRef), 'feed', filter] as const
}

export function isList(queryKey: readonly unknown[]) {
  return queryKey[3] === 'list' || queryKey[3] === 'feed'
}

export function listKey({ of, accountRef, query }: { of: Collection; accountRef: string; query: ListQuery }) {
  return [...listsKey(of, accountRef), query] as const
}

export function itemKey({ of, accountRef, id }: { of: Collection; accountRef: string; id: string }) {
  return [...collectionKey(of, accountRef), 'item', id] as const
}

export function fieldKey({
  of,
  accountRef,
  id,
  field,
}: {
  of: Collection
  accountRef: string
  id: string
  field: string
}) {
  return [...collectionKey(of, accountRef), 'field', field, id] as const
}

export function nameKey({ of, accountRef, id }: { of: Collection; accountRef: string; id: string }) {
  return [...collectionKey(of, accountRef), 'name', id] as const
}

/** What a controller has no room for. */
export function leftOutKey({ accountRef, unit }: { accountRef: string; unit: string | null }) {
  return [...collectionKey(units, accountRef), 'leftOut', unit] as const
}
