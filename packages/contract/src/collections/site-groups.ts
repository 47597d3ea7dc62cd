import { defineCollection } from '../collection.ts'
import { links } from '../fields.ts'
import { name } from '../names.ts'

/** Sites that rules name together. */
export const siteGroups = defineCollection({
  name: 'siteGroups',
  entity: 'siteGroup',
  subject: 'Sites',
  fields: {
    required: { name: name() },
    optional: { members: links('sites').default([]) },
  },
  searchable: ['name'],
  queryable: ['name'],
})
