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

const column = z.strictObject({ field: z.string(), title: text(120).optional() })

/**
 * `POST /api/{collection}/export`: all pages of a list as a file. Without columns, all fields; without a time zone, the
 * current account's. Titles head the columns of csv and xlsx; json keeps the fields' names.
 */
export const exportRequest = z.strictObject({
  format: z.enum(exportFormats),
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
  filter?: Filter
  sort?: Sort
  search?: string
  columns?: readonly (string | { field: string; title?: string })[]
  timeZone?: string
}
