import type { Collection, CreateOf, EntityOf } from '@portcullis/contract/collection'
import { unwrapped } from '@portcullis/contract/fields'
import { z } from 'zod'
import { part } from '../item/item-parts.ts'

type SettableField<C extends Collection> = keyof (C['fields']['required'] &
  C['fields']['optional'] &
  C['fields']['fixed'])

/** The values of a form: every field that users may set, none missing. */
export type ValuesOf<C extends Collection> = Required<Pick<CreateOf<C>, keyof CreateOf<C> & SettableField<C>>>

/**
 * The values of a form: the item's own; for a new item those of `initial`, then the initial values of the schema, and
 * blank ones where the schema has none.
 */
export function formValues<C extends Collection>(
  of: C,
  item: EntityOf<C> | undefined,
  initial?: Partial<ValuesOf<C>>,
): ValuesOf<C> {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(settableFields(of))) {
    values[name] = item === undefined ? (part(initial, name) ?? initialOf(schema)) : part(item, name)
  }
  // Every value is present here; whether an empty one may be saved is checked when the form is sent.
  return z.custom<ValuesOf<C>>().parse(values)
}

/** The fields that users may set, on creation or later. */
export function settableFields({ fields: { required, optional, fixed } }: Collection): z.core.$ZodShape {
  return { ...required, ...optional, ...fixed }
}

function initialOf(schema: z.core.$ZodType): unknown {
  const initial = z.safeParse(schema, undefined)
  if (initial.success) return initial.data
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) return []
  return inner instanceof z.ZodEnum ? inner.options[0] : ''
}
