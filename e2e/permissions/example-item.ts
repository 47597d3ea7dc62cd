import type { Collection } from '@portcullis/contract/collection'
import type { Subject } from '@portcullis/contract/abilities'
import { metaOf } from '@portcullis/contract/fields'
import { z } from 'zod'
import { canaryOf } from './marks.ts'
import type { Target } from './places.ts'

export type Fields = Record<string, unknown>

type Making = { place: Target; idOf: (collection: string) => string | undefined }

let made = 0

/**
 * An example item of a collection for an account, made from the definition: the account's canary in every text field, and
 * the account's own items in every reference and link. An unsupported required field is named in the error.
 */
export function exampleItem(collection: Collection, { place, idOf }: Making): Fields {
  made += 1
  const text = `${canaryOf(place)}-${collection.name.toLowerCase()}-${made}`
  const item: Fields = {}
  for (const [field, schema] of fieldsOf(collection)) {
    if (field in (ownRights[collection.name] ?? {}) || allBelow.includes(`${collection.name}.${field}`)) continue
    const value = linkedValue(schema, idOf) ?? plainValue(schema, [text, `${text}@people.example`, [text]])
    if (value !== undefined) item[field] = value
  }
  const { required, fixed } = collection.fields
  for (const [field, schema] of Object.entries({ ...required, ...fixed })) {
    if (!z.safeParse(schema, undefined).success) item[field] ??= requiredValue(collection, field)
  }
  const parsed = collection.createSchema.safeParse(item)
  if (parsed.success) return item
  throw new Error(`POST /api/${collection.name}: its example is refused: ${z.prettifyError(parsed.error)}`)
}

/** Fields that need the right to manage another subject than their item. An example does not set them. */
export const ownRights: Readonly<Record<string, Readonly<Record<string, Subject>>>> = {
  doors: { unlockSchedule: 'Access Control' },
}

/** Fields that need the right in all accounts below. An example does not set them. */
export const allBelow: readonly string[] = ['lockdownPlans.cardGroups']

/** The fields that a user may set when creating an item. */
export function fieldsOf({ fields: { required, optional, fixed } }: Collection): [string, z.core.$ZodType][] {
  return Object.entries({ ...required, ...optional, ...fixed })
}

/** Ids for a field that refers to other items; undefined for other fields. */
export function linkedValue(schema: z.core.$ZodType, idOf: (collection: string) => string | undefined) {
  const meta = metaOf(schema)
  if (meta?.kind === 'reference') return idOf(meta.of)
  if (meta?.kind !== 'links') return undefined
  const targets = meta.of.flatMap(({ kind, collection }) => {
    const id = idOf(collection)
    return id === undefined ? [] : [{ kind, id }]
  })
  if (targets.length === 0) return undefined
  return meta.shape === 'ids' ? targets.map(({ id }) => id) : targets
}

function plainValue(schema: z.core.$ZodType, candidates: readonly unknown[]) {
  if (metaOf(schema)) return undefined
  return candidates.find((candidate) => z.safeParse(schema, candidate).success)
}

/** Values for required fields that do not accept a free text. */
const sampleValues = [
  'UTC',
  'card',
  'allow',
  'oidc',
  'public',
  'FFFFCCCC',
  [{ from: '2026-12-25', until: '2026-12-26', recurring: true }],
]

function requiredValue(collection: Collection, field: string): unknown {
  const schema = collection.fields.required[field] ?? collection.fields.fixed[field]
  const value = schema && plainValue(schema, sampleValues)
  if (value !== undefined) return value
  throw new Error(`POST /api/${collection.name}: the matrix has no example for the field "${field}"`)
}
