import { defineCollection } from '../collection.ts'
import { links } from '../fields.ts'
import { name } from '../names.ts'

/** Doors that rules name together. */
export const doorGroups = defineCollection({
  name: 'doorGroups',
  entity: 'doorGroup',
  subject: 'Sites',
  fields: {
    required: { name: name() },
    optional: { members: links('doors').default([]) },
  },
  searchable: ['name'],
  queryable: ['name'],
})
