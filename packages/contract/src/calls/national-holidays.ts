import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { fieldCode } from '../errors/field-codes.ts'
import { language } from '../names.ts'
import { foundHoliday } from './import-holidays.ts'

export const nationalTypes = ['public', 'bank', 'optional', 'school', 'observance'] as const

/** How many years one request takes. */
export const maxNationalYears = 10

const year = z.coerce.number().int().min(1970).max(2190)
const choice = z.object({ code: z.string(), name: z.string() })

export const nationalHolidays = defineCall({
  id: 'national-holidays',
  method: 'GET',
  path: '/api/holidays/national',
  tag: 'holidays',
  summary: 'List the national holidays of a country, to import them',
  description:
    'Without a country, only the countries. The data comes from date-holidays (CC BY 3.0). Holidays that last part of a day are left out. `POST /api/holidays/import` stores those that are selected.',
  access: 'account',
  abilities: [manage('Schedules')],
  query: z
    .strictObject({
      country: z.string().max(10).optional(),
      region: z.string().max(10).optional(),
      from: year.optional(),
      until: year.optional(),
      language: language().default('en'),
    })
    .refine(({ from = 1970, until = from }) => from <= until && until - from < maxNationalYears, {
      error: fieldCode('ends_before_start'),
      path: ['until'],
    }),
  output: z.object({
    countries: z.array(choice),
    /** Of the country; empty if its holidays are the same everywhere. */
    regions: z.array(choice),
    /** In the order of their dates. The kind is `public` for public and bank holidays, and `special` for others. */
    holidays: z.array(z.object({ type: z.enum(nationalTypes), holiday: foundHoliday })),
  }),
  returns: 'The countries, the regions and the holidays, in the language where the data has it.',
})
