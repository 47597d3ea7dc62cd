import { type AggregateQuery, aggregated } from '@portcullis/contract/aggregate-query'
import type { Collection, CreateOf, EntityOf, PatchOf } from '@portcullis/contract/collection'
import { type CollectionVerb, collectionCalls, collectionPath } from '@portcullis/contract/collection-calls'
import { changePreview } from '@portcullis/contract/change-preview'
import { counted } from '@portcullis/contract/count-query'
import type { ExportRequest } from '@portcullis/contract/export-request'
import { type ListQuery, pageOf } from '@portcullis/contract/list-query'
import { z } from 'zod'
import type { Http } from './http.ts'

/** The generic calls of one collection, typed from its definition. */
export function collectionClient<C extends Collection>(http: Http, collection: C) {
  const call = (verb: CollectionVerb, id?: string) => ({
    method: collectionCalls[verb].method,
    path: collectionPath(collection, verb, id),
  })
  const entity: C['entitySchema'] = collection.entitySchema
  const page = pageOf(entity)

  return {
    list(query: ListQuery = {}, options: Reading = {}) {
      return http.request({ ...call('list'), query: listParameters(query), answer: page, ...options })
    },
    /** The items that belong to a group, paged like a list; `no_group_lookup` if items of this collection belong to none. */
    group(id: string, query: ListQuery = {}, options: Reading = {}) {
      return http.request({ ...call('group', id), query: listParameters(query), answer: page, ...options })
    },
    /** Counts the items of such a list. Beyond a bound the count is that bound, with `exact` false. */
    count({ filter, search }: Pick<ListQuery, 'filter' | 'search'> = {}, options: Reading = {}) {
      return http.request({
        ...call('count'),
        query: listParameters({ filter, search }),
        answer: counted,
        ...options,
      })
    },
    /** Counts by the values of fields, or by periods of civil time in a zone. */
    aggregate({ filter, by, timeZone }: AggregateQuery, options: Reading = {}) {
      const query = { filter: filter && JSON.stringify(filter), by: JSON.stringify(by), timeZone }
      return http.request({ ...call('aggregate'), query, answer: aggregated, ...options })
    },
    get(id: string, options: Reading = {}): Promise<EntityOf<C>> {
      return http.request({ ...call('get', id), answer: entity, ...options })
    },
    /** All pages of a list as a file, with names instead of ids. */
    export(body: ExportRequest, options: Reading = {}) {
      return http.download({ ...call('export'), body, ...options })
    },
    create(item: CreateOf<C>, options: Writing = {}): Promise<EntityOf<C>> {
      return http.request({ ...call('create'), body: item, answer: entity, ...options })
    },
    /**
     * The same for forms, which know their fields only at run time and have checked them with the collection's schemas.
     */
    createFields(fields: Record<string, unknown>, options: Writing = {}): Promise<EntityOf<C>> {
      return http.request({ ...call('create'), body: fields, answer: entity, ...options })
    },
    /** With `version`, a change by another user in between causes a conflict instead of being overwritten. */
    patch(id: string, changes: PatchOf<C>, options: Writing = {}): Promise<EntityOf<C>> {
      return http.request({ ...call('patch', id), body: changes, answer: entity, ...options })
    },
    /** The same for forms. */
    patchFields(id: string, fields: Record<string, unknown>, options: Writing = {}): Promise<EntityOf<C>> {
      return http.request({ ...call('patch', id), body: fields, answer: entity, ...options })
    },
    /** What saving these fields would do, without an id for a new item. Nothing is stored. `of`: only the room. */
    preview({ id, fields, of }: Preview, options: Reading = {}) {
      const change = id === undefined ? call('create') : call('patch', id)
      const query = { preview: of ?? 'true' }
      return http.request({ ...change, query, body: fields, answer: changePreview, ...options })
    },
    /** What deleting the item would do. Nothing is stored. `of`: only the room. */
    previewRemoval({ id, of }: Removal, options: Reading = {}) {
      const query = { preview: of ?? 'true' }
      return http.request({ ...call('delete', id), query, answer: changePreview, ...options })
    },
    remove(id: string, options: Writing = {}) {
      return http.request({ ...call('delete', id), answer: z.unknown(), ...options })
    },
  }
}

type Removal = { id: string; of?: 'room' }
type Preview = { id: string | undefined; fields: Record<string, unknown>; of?: 'room' }

/** `account` is the ref of the account to read in, instead of the current one. */
type Reading = { account?: string; allAccounts?: 'yes' | 'no'; signal?: AbortSignal }

/** `onRecorded` gets the id that `history.undo` takes to undo the change. */
type Writing = { account?: string; onRecorded?: (entry: string) => void }

function listParameters({ filter, sort, page, size, search, fields, after }: ListQuery) {
  return {
    filter: filter && JSON.stringify(filter),
    sort: sort && JSON.stringify(sort),
    page: page?.toString(),
    size: size?.toString(),
    search: search || undefined,
    fields: fields && JSON.stringify(fields),
    after,
  }
}
