import type { Collection } from '@portcullis/contract/collection'
import { metaOf } from '@portcullis/contract/fields'
import type { z } from 'zod'

type Change = { field: string; before: unknown; after: unknown }

/** Who or what came and went in a field of links, and how many stayed; nothing for other fields. */
export function linkChange(of: Collection, { field, before, after }: Change) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = of.entitySchema.shape
  const schema = shape[field]
  if (!schema || metaOf(schema)?.kind !== 'links') return undefined
  const [was, is] = [entriesOf(before), entriesOf(after)]
  return {
    removed: [...was].flatMap(([key, value]) => (is.has(key) ? [] : [value])),
    added: [...is].flatMap(([key, value]) => (was.has(key) ? [] : [value])),
    unchanged: [...is.keys()].filter((key) => was.has(key)).length,
  }
}

/** By the id alone: an item is named once in such a field. */
function entriesOf(value: unknown): Map<string, unknown> {
  if (!Array.isArray(value)) return new Map()
  const values: readonly unknown[] = value
  return new Map(values.map((entry) => [typeof entry === 'string' ? entry : JSON.stringify(entry), entry]))
}
