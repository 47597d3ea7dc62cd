import { z } from 'zod'
import type { Collection } from './collection.ts'
import { sensitivityOf, snapshotOf } from './fields.ts'

type Values = Readonly<Record<string, unknown>>

/** The fields of a collection that some changes need a fresh sign-in for. */
export function sensitiveFields({ entitySchema, createSchema }: Pick<Collection, 'entitySchema' | 'createSchema'>) {
  return Object.entries<z.core.$ZodType>({ ...entitySchema.shape, ...createSchema.shape }).flatMap(
    ([field, schema]) => {
      const sensitivity = sensitivityOf(schema)
      return sensitivity ? [{ field, initial: z.safeParse(schema, undefined).data, ...sensitivity }] : []
    },
  )
}

/** Whether a change sets a field to a sensitive value that it does not have; `before` is null for a new item. */
export function isSensitiveChange(
  collection: Collection,
  { before, changes }: { before: Values | null; changes: Values },
) {
  return sensitiveFields(collection).some(({ field, initial, isSensitive }) => {
    const value = changes[field]
    const current = before ? before[field] : initial
    return value !== undefined && value !== current && isSensitive(value)
  })
}

/** Also where the items of a collection repeat those of others, as the audit log does. */
export function exportNeedsFreshSignIn(collection: Collection) {
  const fields = Object.values<z.core.$ZodType>(collection.entitySchema.shape)
  return fields.some((schema) => snapshotOf(schema) !== undefined || sensitivityOf(schema)?.exports === true)
}
