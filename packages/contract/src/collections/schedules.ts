import type { HolidayKind } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, fieldCode('invalid_time_of_day'))
const clockEnd = z.union([clock, z.literal('24:00')])

/** From start to end; an end that is not after the start is on the next day. */
const hours = z.strictObject({ start: clock, end: clockEnd })

/** ISO week days: 1 is Monday, 7 is Sunday. */
export const scheduleWindow = hours.extend({ days: z.array(z.int().min(1).max(7)).min(1).max(7) })

const holidayHours = z.union([z.literal('closed'), z.literal('asUsual'), z.array(hours).min(1).max(10)])

/** When rules apply, in the time zone of the door's site. */
export const schedules = defineCollection({
  name: 'schedules',
  entity: 'schedule',
  subject: 'Schedules',
  fields: {
    required: { name: name() },
    optional: {
      windows: z.array(scheduleWindow).max(50).default([]),
      holidayHours: z
        .strictObject({ public: holidayHours, company: holidayHours, special: holidayHours })
        .default({ public: 'closed', company: 'closed', special: 'closed' }) satisfies z.ZodType<
        Record<HolidayKind, unknown>
      >,
    },
  },
  searchable: ['name'],
  queryable: ['name'],
})
