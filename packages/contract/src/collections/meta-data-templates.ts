import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

export const metaDataKinds = ['text', 'number', 'date', 'choice'] as const

const field = z
  .strictObject({
    key: z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/, fieldCode('invalid_key')),
    label: name(),
    kind: z.enum(metaDataKinds),
    /** The options; only for the kind `choice`. */
    choices: z.array(text(120)).max(100).default([]),
    required: z.boolean().default(false),
  })
  .refine(({ kind, choices }) => (kind === 'choice') === choices.length > 0, fieldCode('choices_mismatch'))
  .refine(({ choices }) => new Set(choices).size === choices.length, fieldCode('listed_twice'))

/** Additional fields that an account defines for its users. */
export const metaDataTemplates = defineCollection({
  name: 'metaDataTemplates',
  entity: 'metaDataTemplate',
  subject: 'Users',
  fields: {
    required: { name: name() },
    optional: {
      fields: z
        .array(field)
        .max(50)
        .refine((fields) => new Set(fields.map(({ key }) => key)).size === fields.length, fieldCode('listed_twice'))
        .default([]),
    },
  },
  isPolicy: false,
  searchable: ['name'],
  queryable: ['name'],
})
