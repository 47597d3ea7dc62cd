import { holidayKinds } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCall, manage, view } from '../call.ts'
import { changePreview, previewQuery } from '../change-preview.ts'
import { holidays } from '../collections/holidays.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** What one import takes; a file is sent as text. */
export const importBounds = { characters: 500_000, events: 2_000, holidays: 200 } as const

/** Why an event of a file is not a holiday of this product. */
export const rejections = [
  'no_name',
  'not_whole_days',
  'unsupported_recurrence',
  'cancelled',
  'no_dates',
  'too_many_dates',
  'invalid',
] as const
export type Rejection = (typeof rejections)[number]

const { name, kind, dates } = holidays.fields.required
const { calendar } = holidays.fields.optional

export const foundHoliday = z.strictObject({ name, kind, dates })
export type FoundHoliday = z.output<typeof foundHoliday>

const importRow = z.object({
  /** As in the file, at most 120 characters. */
  name: z.string(),
  state: z.enum(['new', 'changed', 'unchanged', 'rejected']),
  /** As it is stored; null if it is rejected. */
  holiday: foundHoliday.nullable(),
  reason: z.enum(rejections).nullable(),
  /** Compared with the stored holiday. */
  added: z.array(dates.element),
  removed: z.array(dates.element),
  /** Null unless the kind changes. */
  kindBefore: kind.nullable(),
  /** Null if nothing was stored. */
  _id: z.uuid().nullable(),
  /** In the audit log, by which the change is undone. */
  entry: z.uuid().nullable(),
})
export type ImportRow = z.output<typeof importRow>

export const importedHolidays = z.object({ rows: z.array(importRow) })

export const importHolidays = defineCall({
  id: 'import-holidays',
  method: 'POST',
  path: '/api/holidays/import',
  tag: 'holidays',
  summary: 'Import holidays from an iCalendar file or a list',
  description:
    'Events with the same name become one holiday with several dates, and change the holiday with this name in the same calendar. Its other dates are kept, unless `replaceDates` is true. Whole days are imported, and so are yearly recurrences on a date or on a weekday of a month; a date that recurs forever stays one entry, any other recurrence is imported for the next 10 years. Everything is stored in one transaction, or nothing with `dryRun`. With `preview` nothing is stored either.',
  access: 'account',
  abilities: [manage('Schedules')],
  query: previewQuery,
  input: z
    .strictObject({
      /** The text of an iCalendar file (RFC 5545). */
      file: z.string().min(1).max(importBounds.characters).optional(),
      holidays: z.array(foundHoliday).min(1).max(importBounds.holidays).optional(),
      calendar,
      /** Of events whose categories name no kind of holiday. */
      kind: z.enum(holidayKinds).default('public'),
      /** Removes the dates of a changed holiday that the import does not name. */
      replaceDates: z.boolean().default(false),
      dryRun: z.boolean().default(false),
    })
    .refine(({ file, holidays: list }) => (file === undefined) !== (list === undefined), {
      error: fieldCode('required'),
      path: ['file'],
    }),
  output: z.union([importedHolidays, changePreview]),
  returns:
    'What becomes of each holiday and each rejected event, or with `preview` who gains and who loses access by it.',
})

export const exportCalendar = defineCall({
  id: 'export-calendar',
  method: 'POST',
  path: '/api/holidays/export/ics',
  tag: 'holidays',
  summary: 'Export holidays as an iCalendar file',
  description:
    'At most 5,000 holidays with 20,000 dates: more are refused. The categories of an event name the kind of holiday.',
  access: 'account',
  abilities: [view('Schedules')],
  readsAllAccounts: true,
  input: z.strictObject({ calendar: calendar.unwrap().unwrap().optional() }),
  download: ['text/calendar'],
  returns: 'The holidays of the calendar, or without one of all calendars.',
})
