import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { id } from '../fields.ts'
import { foundHoliday } from './import-holidays.ts'

/** The maximum number of holidays in an answer. */
export const maxHolidaysAbove = 1_000

export const holidaysAbove = defineCall({
  id: 'holidays-above',
  method: 'GET',
  path: '/api/holidays/above',
  tag: 'holidays',
  summary: 'List the holidays of accounts above',
  description:
    'The current and coming holidays that accounts above set for this account too, without their names: those that a site follows, or without a site all of them.',
  access: 'account',
  abilities: [view('Schedules'), view('Sites')],
  query: z.strictObject({ site: id().optional().describe('A site of the account.') }),
  output: z
    .object({ holidays: z.array(foundHoliday.pick({ kind: true, dates: true })) })
    .register(schemaNames, { id: 'HolidaysAbove' }),
  returns: `At most ${maxHolidaysAbove} holidays.`,
  errors: ['not_found'],
})
