import { z } from 'zod'
import { text } from './fields.ts'
import { fieldCode } from './errors/field-codes.ts'
import { type Filter, filterLimits, type Sort, sort } from './list-query.ts'
import { timeZone } from './names.ts'

export const exportFormats = ['csv', 'json', 'xlsx'] as const
/** The media types of these files. */
export const exportTypes = [
  'text/csv',
  'application/json',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** More than the values of any field that has words. */
const maxWords = 200

const column = z.strictObject({
  field: z.string(),
  title: text(120).optional(),
  words: z
    .record(z.string().max(120), text(120))
    .refine((words) => Object.keys(words).length <= maxWords, {
      error: fieldCode('too_many_entries'),
      params: { maximum: maxWords },
    })
    .optional(),
})

/**
 * `POST /api/{collection}/export`: all pages of a list as a file. Without columns, all fields; without a time zone, the
 * current account's. The files csv and xlsx have the titles, and the given words instead of the values that they name;
 * json keeps the names of fields and the values. The title names the file and the sheet.
 */
export const exportRequest = z.strictObject({
  format: z.enum(exportFormats),
  title: text(120).optional(),
  filter: z
    .unknown()
    .refine((filter) => JSON.stringify(filter ?? null).length <= filterLimits.characters, {
      error: fieldCode('too_long'),
      params: { maximum: filterLimits.characters },
    })
    .optional(),
  sort: sort.optional(),
  search: z.string().max(200).optional(),
  columns: z
    .array(z.union([z.string(), column]))
    .min(1)
    .max(100)
    .optional(),
  timeZone: timeZone().optional(),
})

export type ExportRequest = {
  format: ExportFormat
  title?: string
  filter?: Filter
  sort?: Sort
  search?: string
  columns?: readonly (string | { field: string; title?: string; words?: Readonly<Record<string, string>> })[]
  timeZone?: string
}
