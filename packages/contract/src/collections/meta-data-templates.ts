import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'

export const metaDataKinds = ['text', 'number', 'date', 'choice'] as const

const field = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z][A-Za-z0-9]{0,39}$/, 'A key begins with a small letter and has letters and digits only.'),
    label: name(),
    kind: z.enum(metaDataKinds),
    /** What may be chosen; for the kind choice only. */
    choices: z.array(text(120)).max(100).default([]),
    required: z.boolean().default(false),
  })
  .refine(({ kind, choices }) => (kind === 'choice') === choices.length > 0, 'Choices go with the kind choice.')
  .refine(({ choices }) => new Set(choices).size === choices.length, 'Each choice is named once.')

/** What an account keeps of its people besides what the product knows of them. */
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
        .refine((fields) => new Set(fields.map(({ key }) => key)).size === fields.length, 'Each key is used once.')
        .default([]),
    },
  },
  isPolicy: false,
  searchable: ['name'],
  queryable: ['name'],
})
