import type { Collection } from '@portcullis/contract/collection'
import { type Guard, guardOf, snapshotOf } from '@portcullis/contract/fields'
import type { z } from 'zod'

export type GuardedField = Guard & { field: string }

type Guards = {
  guarded: readonly GuardedField[]
  /** Fields that contain fields of other collections' items; `of` names the field with the collection. */
  snapshots: readonly { field: string; of: string }[]
}

const cache = new WeakMap<z.ZodObject, Guards>()

/** The guarded fields of a collection, and those that repeat guarded values of other collections. */
export function guardsOf({ entitySchema }: Pick<Collection, 'entitySchema'>): Guards {
  const guards = cache.get(entitySchema) ?? find(entitySchema)
  cache.set(entitySchema, guards)
  return guards
}

function find(entitySchema: z.ZodObject): Guards {
  const fields = Object.entries<z.core.$ZodType>(entitySchema.shape)
  return {
    guarded: fields.flatMap(([field, schema]) => {
      const guard = guardOf(schema)
      return guard ? [{ field, ...guard }] : []
    }),
    snapshots: fields.flatMap(([field, schema]) => {
      const snapshot = snapshotOf(schema)
      return snapshot ? [{ field, ...snapshot }] : []
    }),
  }
}
