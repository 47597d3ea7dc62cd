import { holidayKinds } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'

const dates = z
  .strictObject({ from: z.iso.date(), until: z.iso.date(), recurring: z.boolean() })
  .refine(({ from, until }) => from <= until, 'A holiday ends on or after the day it begins.')

/** Civil days of a site on which schedules keep other hours. Without a calendar it governs every site. */
export const holidays = defineCollection({
  name: 'holidays',
  entity: 'holiday',
  subject: 'Schedules',
  required: { name: name(), kind: z.enum(holidayKinds), dates: z.array(dates).min(1).max(50) },
  optional: { calendar: text(60).nullable().default(null) },
  fixed: {},
  server: {},
  state: {},
  searchable: ['name', 'calendar'],
  queryable: ['name', 'kind', 'calendar'],
})
