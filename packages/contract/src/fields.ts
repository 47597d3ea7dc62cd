import { z } from 'zod'
import type { Subject } from './abilities.ts'
import { fieldCode } from './errors/field-codes.ts'

/** Metadata that the engine needs beyond a field's schema; for fields without an entry the zod type decides. */
export type FieldMeta =
  | { kind: 'instant' }
  | { kind: 'reference'; of: string }
  | { kind: 'links'; of: readonly LinkTarget[]; shape: 'ids' | 'subjects'; direction: 'from' | 'to' }

/** A kind of item that a link may point to: its name in the document, and its collection. */
export type LinkTarget = { kind: string; collection: string }

export const fieldMeta = z.registry<FieldMeta>()

export function text(max: number) {
  return z.string().trim().min(1).max(max)
}

/** A time, normalised to UTC as an ISO string with milliseconds. */
export function instant() {
  return moment()
    .overwrite((text) => new Date(text).toISOString())
    .register(fieldMeta, { kind: 'instant' })
}

/** A time as it was written: in UTC or with an offset, with at most nine decimal places of a second. */
export function moment() {
  return z.iso
    .datetime({ offset: true, abort: true })
    .refine(isInReach, { error: fieldCode('year_out_of_range'), params: reach, abort: true })
    .refine((text) => !/\.\d{10}/.test(text), {
      error: fieldCode('second_too_fine'),
      abort: true,
    })
}

const reach = { first: 1, last: 9_999 }

/** PostgreSQL accepts no year 0, and no offsets of 16 hours or more. */
function isInReach(text: string) {
  const year = new Date(text).getUTCFullYear()
  return year >= reach.first && year <= reach.last && !/[+-](1[6-9]|2\d):\d\d$/.test(text)
}

/** An `_id`, normalised to lower case. */
export function id() {
  return z.uuid().toLowerCase()
}

/** At most this many ids in an address, with commas between them. */
export function ids({ most }: { most: number }) {
  return z
    .string()
    .transform((given) => given.split(','))
    .pipe(z.array(id()).max(most))
}

/** The `_id` of an item of another collection; the server checks that the writer may see it. */
export function reference(of: string) {
  return id().register(fieldMeta, { kind: 'reference', of })
}

/** Many items of one collection, as a list of ids, stored as rows of their own. */
export function links(of: string) {
  return z
    .array(id())
    .max(100_000)
    .register(fieldMeta, { kind: 'links', of: [{ kind: of, collection: of }], shape: 'ids', direction: 'from' })
}

/** The reverse of `links`: the same rows, read and written from the linked item. */
export function linksBack(of: string) {
  return z
    .array(id())
    .max(1_000)
    .register(fieldMeta, { kind: 'links', of: [{ kind: of, collection: of }], shape: 'ids', direction: 'to' })
}

/** Items of several collections, each as `{kind, id}`: the "who" and the "where" of a rule. */
export function subjects<const K extends string>(targets: Record<K, string>) {
  const kinds = Object.entries<string>(targets).map(([kind, collection]) => ({ kind, collection }))
  const kind = z.literal(keysOf(targets))
  return z
    .array(z.strictObject({ kind, id: id() }))
    .max(1_000)
    .register(fieldMeta, { kind: 'links', of: kinds, shape: 'subjects', direction: 'from' })
}

/**
 * A value that needs an extra ability to see and set, in items whose field `where.field` equals `where.is`. With
 * `parts`, only these parts of the field are guarded, if its part `where.field` equals `where.is` or is missing.
 */
export type Guard = { subject: Subject; where: { field: string; is: string }; parts?: readonly string[] }

const guards = z.registry<Guard>()

/** Marks a field as guarded. */
export function guarded<S extends z.ZodType>(schema: S, guard: Guard): S {
  guards.add(schema, guard)
  return schema
}

/** Changing the field to a sensitive value needs a fresh sign-in; with `exports`, so does exporting its collection. */
export type Sensitivity = { isSensitive: (value: unknown) => boolean; exports?: true }

const sensitivities = z.registry<Sensitivity>()

/** Marks a field whose change gives or weakens rights. */
export function sensitive<S extends z.ZodType>(schema: S, sensitivity: Sensitivity): S {
  sensitivities.add(schema, sensitivity)
  return schema
}

const restorables = z.registry<{ isRestorable: true }>()

/** Marks a field that only a call of the entity changes, but that undo restores. */
export function restorable<S extends z.ZodType>(schema: S): S {
  restorables.add(schema, { isRestorable: true })
  return schema
}

const snapshots = z.registry<{ of: string }>()

/**
 * A document with fields of an item of the collection that the field `of` names; that collection's guards apply to it.
 */
export function snapshot(of: string) {
  return z.record(z.string(), z.unknown()).register(snapshots, { of })
}

const positions = z.registry<{ isPosition: true }>()

/** The position of a log entry in the order of transactions. */
export function position() {
  return z.int().register(positions, { isPosition: true })
}

export function guardOf(schema: z.core.$ZodType) {
  return guards.get(unwrapped(schema))
}

export function sensitivityOf(schema: z.core.$ZodType) {
  return sensitivities.get(unwrapped(schema))
}

export function isRestorable(schema: z.core.$ZodType) {
  return restorables.has(unwrapped(schema))
}

export function snapshotOf(schema: z.core.$ZodType) {
  return snapshots.get(unwrapped(schema))
}

export function isPosition(schema: z.core.$ZodType) {
  return positions.has(unwrapped(schema))
}

/** The metadata of a schema or of the schema that it wraps (`nullable`, `default`, `optional`). */
export function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  return fieldMeta.get(unwrapped(schema))
}

export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return unwrapped(schema.def.innerType)
  }
  return schema
}

export function keysOf<K extends string>(record: Record<K, unknown>): K[] {
  const keys: K[] = []
  for (const key in record) keys.push(key)
  return keys
}
