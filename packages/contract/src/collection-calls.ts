import { fillPath } from './call.ts'

/**
 * The generic calls of every collection (specification §7): the method, and the path below that of the collection. The
 * server's routes, the client's methods, the OpenAPI operations and the recipes of the permission matrix derive from
 * it.
 */
export const collectionCalls = {
  list: { method: 'GET', below: '' },
  count: { method: 'GET', below: '/count' },
  aggregate: { method: 'GET', below: '/aggregate' },
  get: { method: 'GET', below: '/{id}' },
  group: { method: 'GET', below: '/group/{id}' },
  export: { method: 'POST', below: '/export' },
  create: { method: 'POST', below: '' },
  patch: { method: 'PATCH', below: '/{id}' },
  delete: { method: 'DELETE', below: '/{id}' },
} as const

export type CollectionVerb = keyof typeof collectionCalls

/** A generic call of one collection, with its path as OpenAPI writes it: `/api/doors/{id}`. */
export function collectionCall({ name }: { name: string }, verb: CollectionVerb) {
  const { method, below } = collectionCalls[verb]
  return { method, path: `/api/${name}${below}` }
}

/** The path of a generic call with the id that it takes, escaped. */
export function collectionPath(collection: { name: string }, verb: CollectionVerb, id = '') {
  return fillPath(collectionCall(collection, verb).path, { id })
}
