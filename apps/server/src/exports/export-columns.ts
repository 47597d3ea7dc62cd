import type { Collection } from '@portcullis/contract/collection'
import type { exportRequest } from '@portcullis/contract/export-request'
import { problem } from '@portcullis/contract/errors/problem'
import sql, { type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { type Column, queryableColumn, tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { unusable } from '../errors/unusable.ts'

/** One column: its expression for the database, and how to read the resulting text. */
export type ExportColumn = {
  field: string
  title: string
  column: Column
  output: Sql
  read: (text: string) => unknown
}

type Requested = z.output<typeof exportRequest>['columns']
type RequestedColumn = Exclude<NonNullable<Requested>[number], string>

type ExportColumnsInput = {
  requested: Requested
  timeZone: string
  /** Whether the file has words instead of values. */
  isInWords: boolean
}

/** The columns of a file: fields of the collection, with moments in local time of the zone. */
export function exportColumns(
  collection: Collection,
  { requested, timeZone, isInWords }: ExportColumnsInput,
): ExportColumn[] {
  const table = tableOf(collection)
  const seen = new Set<string>()
  return (requested ?? allFields(collection)).map((entry) => {
    const requestedColumn: RequestedColumn = typeof entry === 'string' ? { field: entry } : entry
    const { field, title = field, words } = requestedColumn
    const column = queryableColumn(table, field)
    if (!column) throw unusable('columns', problem('unknown_column', { field, collection: collection.name }))
    if (seen.has(field)) throw unusable('columns', problem('repeated_name', { name: field }))
    seen.add(field)
    const read = readerOf(column)
    return {
      field,
      title,
      column,
      output: outputOf(column, timeZone),
      read: words && isInWords ? (text: string) => inWords(read(text), words) : read,
    }
  })
}

/** A value, or each value of a list, by its word where it has one. */
function inWords(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((each) => inWords(each, words))
  return typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value
}

function outputOf({ kind, name, output }: Column, timeZone: string) {
  if (kind !== 'instant') return output
  return sql`date_trunc('second', ${name} at time zone ${timeZone}::text)::text`
}

function readerOf({ kind, link }: Column): (text: string) => unknown {
  if (link) return parsed
  switch (kind) {
    case 'integer':
    case 'number':
      return Number
    case 'boolean':
      return (text) => text === 't'
    case 'json':
      return parsed
    case 'text':
    case 'instant':
    case 'id':
      return (text) => text
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}
