import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { name } from '../names.ts'

/** A saved incident report: the filter that selects its events. */
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
