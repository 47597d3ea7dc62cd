import { z } from 'zod'
import type { Subject } from './abilities.ts'
import { instant, reference } from './fields.ts'

type Shape = z.core.$ZodShape
type NoFields = Record<never, never>

/**
 * The fields of a collection, grouped by writer: all users who may write set `required` and `optional`, and `fixed`
 * only at creation; only the server sets `server`; the running installation sets `state` (stored in `{entity}_state`,
 * without version or history). An optional field has an initial value.
 */
export type FieldGroups<
  R extends Shape = Shape,
  O extends Shape = Shape,
  F extends Shape = Shape,
  S extends Shape = Shape,
  T extends Shape = Shape,
> = { required: R; optional: O; fixed: F; server: S; state: T }

type Named = {
  name: string
  entity: string
  subject: Subject
  searchable: readonly string[]
  /** Fields that lists filter, sort and count by, and parts of fields (`adhoc.until`) with a column of their own. */
  queryable: readonly string[]
}

/**
 * A collection, defined once: the server makes the generic calls from it, the client its types, the console its form
 * checks. A key here serves at least 3 collections. The needs of a single entity are met next to it: by a marked field
 * (`fields.ts`), a function in its definition's file, or its server half.
 */
export type Collection = Named & {
  fields: FieldGroups
  /** Lists sort by this field by default, newest first. */
  newestBy: string
  /** Only the server writes logs, and their fields change only by calls of their own. */
  readOnly: boolean
  /** Whether a change affects the policy that controllers apply. */
  isPolicy: boolean
  entitySchema: z.ZodObject
  createSchema: z.ZodObject
  patchSchema: z.ZodObject
}

const base = {
  _id: z.uuid(),
  account: reference('accounts'),
  version: z.int().min(1),
  createdAt: instant(),
  updatedAt: instant(),
}

const logBase = { _id: z.uuid(), account: reference('accounts') }

type CollectionInput<R extends Shape, O extends Shape, F extends Shape, S extends Shape, T extends Shape> = Named & {
  fields: { required: R; optional?: O; fixed?: F; server?: S; state?: T }
  isPolicy?: boolean
}

type Configured<R extends Shape, O extends Shape, F extends Shape, S extends Shape, T extends Shape> = Omit<
  Collection,
  'fields' | 'entitySchema' | 'createSchema' | 'patchSchema'
> & { fields: FieldGroups<R, O, F, S, T> } & ReturnType<typeof schemasOf<R, O, F, S, T>>

/** Defines a collection of configurable items: created, changed, deleted, with history. */
export function defineCollection<
  R extends Shape,
  O extends Shape = NoFields,
  F extends Shape = NoFields,
  S extends Shape = NoFields,
  T extends Shape = NoFields,
>(input: CollectionInput<R, O, F, S, T>): Configured<R, O, F, S, T>
export function defineCollection(input: CollectionInput<Shape, Shape, Shape, Shape, Shape>): Collection {
  const fields = { optional: {}, fixed: {}, server: {}, state: {}, ...input.fields }
  return {
    isPolicy: true,
    ...input,
    fields,
    newestBy: '_id',
    readOnly: false,
    queryable: ['_id', 'createdAt', 'updatedAt', ...input.queryable],
    ...schemasOf(fields),
  }
}

function schemasOf<R extends Shape, O extends Shape, F extends Shape, S extends Shape, T extends Shape>(
  groups: FieldGroups<R, O, F, S, T>,
) {
  const { required, optional, fixed, server, state } = groups
  return {
    entitySchema: z.object({ ...base, ...required, ...optional, ...fixed, ...server, ...state }),
    createSchema: z.strictObject({ ...required, ...optional, ...fixed }),
    patchSchema: z.strictObject({ ...required, ...optional, version: z.int().min(1) }).partial(),
  }
}

/** Defines a log: written by the server, read by all users who may, never changed. */
export function defineLog<S extends Shape>(input: Named & { fields: { server: S }; newestBy: string }) {
  const { server } = input.fields
  return {
    ...input,
    fields: { required: {}, optional: {}, fixed: {}, server, state: {} },
    readOnly: true,
    isPolicy: false,
    queryable: ['_id', ...input.queryable],
    entitySchema: z.object({ ...logBase, ...server }),
    createSchema: z.strictObject({}),
    patchSchema: z.strictObject({}),
  }
}

export type EntityOf<C extends { entitySchema: z.ZodType }> = z.output<C['entitySchema']>
export type CreateOf<C extends { createSchema: z.ZodType }> = z.input<C['createSchema']>
export type PatchOf<C extends { patchSchema: z.ZodType }> = z.input<C['patchSchema']>
