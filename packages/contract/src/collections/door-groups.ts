import { antiPassbackKinds } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { instant, links } from '../fields.ts'
import { name } from '../names.ts'

/** Doors that rules name together. With anti-passback they lead into one area, which a user must leave before entering again. */
export const doorGroups = defineCollection({
  name: 'doorGroups',
  entity: 'doorGroup',
  subject: 'Sites',
  fields: {
    required: { name: name() },
    optional: {
      members: links('doors').default([]),
      antiPassback: z
        .strictObject({ kind: z.enum(antiPassbackKinds), minutes: z.int().min(1).max(1_440) })
        .nullable()
        .default(null),
    },
    server: {
      /** When all users of the area were last forgiven, and single users, by id: controllers then forget who is inside. */
      forgivenAllAt: instant().nullable().default(null),
      forgivenAt: z.record(z.uuid(), z.iso.datetime()).default({}),
    },
  },
  searchable: ['name'],
  queryable: ['name'],
})
