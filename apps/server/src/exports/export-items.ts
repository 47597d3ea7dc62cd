import type { Collection } from '@portcullis/contract/collection'
import { type ExportFormat, exportRequest } from '@portcullis/contract/export-request'
import { exportNeedsFreshSignIn } from '@portcullis/contract/sensitive-fields'
import sql, { raw } from 'sql-template-tag'
import type { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { parseInput } from '../input/parse-input.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { tableOf } from '../query/columns.ts'
import { listCondition } from '../query/list-condition.ts'
import { type ListSearch, sortOf } from '../query/list-request.ts'
import { zoneOf, zoneRefusal } from '../query/zone-of.ts'
import { exportColumns } from './export-columns.ts'
import { recordExport } from './record-export.ts'
import { makeExportTrace } from './make-export-trace.ts'
import type { RunExport } from './run-export.ts'
import { type Page, readPages, selectCells } from './read-pages.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'
import { writeXlsx } from './write-xlsx.ts'

/** The time in which the database finds the rows of an export. */
const pageSeconds = 60
/** The time in which a client reads a page: several megabytes at the least rate. */
const readingSeconds = 3_600

type ExportInput = {
  collection: Collection
  /** Where the filter and the search find items of another collection: the rows are those that name one in this field. */
  of?: { collection: Collection; field: string }
  access: Access
  body: unknown
  /** Rewrites the filter and the search for the stored values. */
  lookUp: (given: ListSearch) => Promise<ListSearch>
}

/** The input of a file format: rows arrive and are written page by page. */
export type Sheet = { name: string; fields: readonly string[]; titles: readonly string[]; pages: AsyncIterable<Page> }

const formats: Record<ExportFormat, { type: string; write: (sheet: Sheet) => AsyncIterable<string | Uint8Array> }> = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  json: { type: 'application/json; charset=utf-8', write: writeJson },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
}

/**
 * Creates the export call: all pages of a list as a file, streamed from one snapshot of the database. The end of the
 * file is sent only after its trace is stored; if the client disconnects earlier, the trace holds the number of rows
 * sent until then.
 */
export function makeExport(database: Database, runExport: RunExport) {
  return async function exportItems({ collection, of, access, body, lookUp }: ExportInput) {
    demand(access, { action: 'view', subject: collection.subject })
    if (exportNeedsFreshSignIn(collection)) requireFreshSignIn(access)
    const input = parseInput(exportRequest, body)
    const given = { filter: input.filter === undefined ? {} : input.filter, search: input.search?.trim() ?? '' }
    const { filter, search } = await lookUp(given)
    const request = filter === given.filter ? input : { ...input, filter, search: search || undefined }
    const timeZone = zoneOf(request.timeZone, access)
    const columns = exportColumns(collection, {
      requested: request.columns,
      timeZone,
      isInWords: request.format !== 'json',
    })
    const cells = selectCells({
      collection,
      columns,
      accounts: access.reads,
      ...rowsOf({ collection, of, accounts: access.reads, found: { filter, search } }),
      sort: sortOf(collection, request.sort),
    })
    const { type, write } = formats[request.format]
    const fileName = nameOfFile({ collection, access, request, timeZone })
    const trace = makeExportTrace((sent) =>
      recordExport(database, {
        collection,
        access,
        request: of ? { ...request, filter: { [of.collection.name]: filter } } : request,
        columns: columns.map(({ field }) => field),
        timeZone,
        sent,
      }),
    )
    const { reads: accounts, signal } = access
    const file = await runExport({
      access,
      breakOff: () => trace.breakOff(),
      work: (send) =>
        database
          .readInAccounts({ accounts, signal }, async (tx) => {
            tx.send(sql`set transaction isolation level repeatable read`)
            tx.send(raw(`set local statement_timeout = '${pageSeconds}s'`))
            tx.send(raw(`set local idle_in_transaction_session_timeout = '${readingSeconds}s'`))
            const pages = await readPages(tx, { access, columns, cells })
            const sheet = {
              name: sheetName(request.title) || collection.name,
              fields: columns.map(({ field }) => field),
              titles: columns.map(({ title }) => title),
            }
            await send(write({ ...sheet, pages: trace.of(pages) }))
          })
          .catch((error: unknown) => {
            throw zoneRefusal(error)
          }),
    })
    return { type, fileName, file }
  }
}

type RowsInput = Pick<ExportInput, 'collection' | 'of'> & { accounts: readonly number[]; found: ListSearch }

/** The rows that a search finds, or those of the items that it finds. */
function rowsOf({ collection, of, accounts, found }: RowsInput) {
  if (!of) return { request: found }
  const { id, source } = tableOf(of.collection)
  const column = tableOf(collection).columns.get(of.field)
  if (!column) throw new Error(`${collection.name} has no field ${of.field}`)
  const among = sql`${column.name} in
    (select ${id} from ${source} where ${listCondition({ collection: of.collection, accounts, request: found })})`
  return { request: { filter: {}, search: '' }, among }
}

type FileNameInput = {
  collection: Collection
  access: Access
  request: z.output<typeof exportRequest>
  timeZone: string
}

/** Letters, digits and hyphens of ASCII only, which every system and header accepts. */
function nameOfFile({ collection, access, request: { title = '', format }, timeZone }: FileNameInput) {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const name = plain
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
  return `${name || collection.name}-${access.account.ref}-${Temporal.Now.plainDateISO(timeZone).toString()}.${format}`
}

/** Spreadsheets allow at most 31 characters, none of them `[]:*?/\\`, and no apostrophe at either end. */
function sheetName(title = '') {
  return title
    .replace(/[[\]:*?/\\\p{Cc}]+/gu, ' ')
    .slice(0, 27)
    .toWellFormed()
    .replace(/^['\s]+|['\s]+$/g, '')
}
