import { z } from 'zod'
import type { Collection } from './collection.ts'
import { isRestorable } from './fields.ts'

/** The fields that an undo of a change restores: those that a patch changes, and those marked as restorable. */
export function restorableFields({ entitySchema, patchSchema }: Collection) {
  const { version: _, ...patchable } = patchSchema.shape
  const marked = Object.entries<z.core.$ZodType>(entitySchema.shape).filter(([, schema]) => isRestorable(schema))
  return z.strictObject({ ...patchable, ...Object.fromEntries(marked) }).partial()
}
