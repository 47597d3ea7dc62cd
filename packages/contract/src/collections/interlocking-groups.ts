import { defineCollection } from '../collection.ts'
import { links } from '../fields.ts'
import { name } from '../names.ts'

/** Doors that are wired to units. Only one of them may be open at a time. */
export const interlockingGroups = defineCollection({
  name: 'interlockingGroups',
  entity: 'interlockingGroup',
  subject: 'Sites',
  fields: {
    required: { name: name() },
    optional: { doors: links('doors').default([]) },
  },
  searchable: ['name'],
  queryable: ['name'],
})
