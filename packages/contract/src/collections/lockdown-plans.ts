import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { subjects, text } from '../fields.ts'
import { name } from '../names.ts'

/** Doors that users lock down together. Starting a plan begins a lockdown of the doors that it names at that moment. */
export const lockdownPlans = defineCollection({
  name: 'lockdownPlans',
  entity: 'lockdownPlan',
  subject: 'Access Control',
  fields: {
    required: {
      name: name(),
      places: subjects({ Door: 'doors', Site: 'sites', 'Door Group': 'doorGroups', 'Site Group': 'siteGroups' }),
    },
    optional: {
      /** User groups whose members still pass during a lockdown if a rule allows them. */
      mayPass: subjects({ 'User Group': 'userGroups' }).default([]),
      /** A valid credential of a member of these groups, presented at one of these doors, starts the lockdown. */
      cardGroups: subjects({ 'User Group': 'userGroups' }).default([]),
      cardDoors: subjects({ Door: 'doors' }).default([]),
      /** Null: until a user ends the lockdown. */
      endsAfterMinutes: z.int().min(1).max(10_080).nullable().default(null),
      note: text(1_000).nullable().default(null),
    },
  },
  searchable: ['name', 'note'],
  queryable: ['name', 'endsAfterMinutes'],
  isPolicy: true,
})
