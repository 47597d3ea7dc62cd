import { parseLayout } from '@portcullis/domain/cards/parse-layout'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { fieldCode } from '../errors/field-codes.ts'
import { name } from '../names.ts'

const layout = z
  .string()
  .trim()
  .max(5_000)
  .overwrite((written) => written.toUpperCase().split(/\s+/).join('\n'))
  .superRefine((written, { addIssue }) => {
    const format = parseLayout(written)
    if ('fault' in format) addIssue({ code: 'custom', message: fieldCode(format.fault) })
  })

/**
 * Formats of Wiegand cards that an account has in addition to those that every account knows. A line of `layout` is its
 * bits, each further line the mask of a parity bit. Cards keep their numbers if their format is deleted.
 */
export const cardFormats = defineCollection({
  name: 'cardFormats',
  entity: 'cardFormat',
  subject: 'Users',
  fields: {
    required: { name: name() },
    /** Another layout would give the cards of this format other numbers. */
    fixed: { layout },
  },
  searchable: ['name'],
  queryable: ['name'],
  isPolicy: false,
})
