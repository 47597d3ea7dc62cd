import { defineCollection } from '../collection.ts'
import { links } from '../fields.ts'
import { name } from '../names.ts'

/** Users that rules name together. */
export const userGroups = defineCollection({
  name: 'userGroups',
  entity: 'userGroup',
  subject: 'Users',
  fields: {
    required: { name: name() },
    optional: { members: links('users').default([]) },
  },
  searchable: ['name'],
  queryable: ['name'],
})
