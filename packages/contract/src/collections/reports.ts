import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { name } from '../names.ts'

/** An incident report as it is saved: which events it tells of, in the words of their filter. */
export const reports = defineCollection({
  name: 'reports',
  entity: 'report',
  subject: 'Incident Reports',
  fields: {
    required: { name: name() },
    optional: { filter: z.record(z.string(), z.unknown()).default({}) },
  },
  isPolicy: false,
  searchable: ['name'],
  queryable: ['name'],
})
