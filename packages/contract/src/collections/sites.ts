import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name, timeZone } from '../names.ts'

/** A place with doors. Its schedules are read in its time zone; its calendars select the holidays that apply to it. */
export const sites = defineCollection({
  name: 'sites',
  entity: 'site',
  subject: 'Sites',
  fields: {
    required: { name: name(), timeZone: timeZone() },
    optional: {
      address: text(300).nullable().default(null),
      location: z
        .strictObject({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
        .nullable()
        .default(null),
      calendars: z.array(text(60)).max(20).default([]),
    },
  },
  searchable: ['name', 'address'],
  queryable: ['name', 'timeZone', 'address'],
})
