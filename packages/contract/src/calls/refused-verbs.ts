import { nameOf } from '../call.ts'
import type { Collection } from '../collection.ts'
import { collectionCall } from '../collection-calls.ts'
import { calls } from './registry.ts'

const writes = ['create', 'patch', 'delete'] as const

/** The generic writes that a log refuses with 405: those that are not calls of its own, as some of tasks are. */
export function refusedVerbs(collection: Pick<Collection, 'name' | 'readOnly'>): readonly (typeof writes)[number][] {
  if (!collection.readOnly) return []
  const served = new Set(calls.map(nameOf))
  return writes.filter((verb) => !served.has(nameOf(collectionCall(collection, verb))))
}
