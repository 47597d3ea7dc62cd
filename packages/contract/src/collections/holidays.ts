import { holidayKinds } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** Controllers get the days of holidays one by one, so their range is limited. */
export const holidayBounds = { first: '1900-01-01', last: '2199-12-31' } as const
const maxDaysOfYear = 366
const dayMs = 86_400_000

const day = z.iso.date().refine((date) => date >= holidayBounds.first && date <= holidayBounds.last, {
  error: fieldCode('year_out_of_range'),
  params: { first: 1900, last: 2199 },
})

const dates = z
  .strictObject({ from: day, until: day, recurring: z.boolean() })
  .refine(({ from, until }) => from <= until, fieldCode('ends_before_start'))
  .refine(({ from, until, recurring }) => !recurring || daysIn(from, until) <= maxDaysOfYear, {
    error: fieldCode('yearly_too_long'),
    params: { maximum: maxDaysOfYear },
  })

function daysIn(from: string, until: string) {
  return (Date.parse(until) - Date.parse(from)) / dayMs + 1
}

/** Civil days of a site on which schedules have other hours. A holiday without a calendar applies to every site. */
export const holidays = defineCollection({
  name: 'holidays',
  entity: 'holiday',
  subject: 'Schedules',
  fields: {
    required: { name: name(), kind: z.enum(holidayKinds), dates: z.array(dates).min(1).max(50) },
    optional: { calendar: text(60).nullable().default(null) },
  },
  searchable: ['name', 'calendar'],
  queryable: ['name', 'kind', 'calendar'],
})
