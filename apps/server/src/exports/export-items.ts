import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Collection } from '@portcullis/contract/collection'
import { type ExportFormat, exportRequest } from '@portcullis/contract/export-request'
import { exportNeedsFreshSignIn } from '@portcullis/contract/sensitive-fields'
import sql, { raw } from 'sql-template-tag'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { sortOf } from '../query/list-request.ts'
import { zoneOf, zoneRefusal } from '../query/zone-of.ts'
import { exportColumns } from './export-columns.ts'
import { recordExport } from './record-export.ts'
import { makeExportTrace } from './make-export-trace.ts'
import { type Page, readPages, selectCells } from './read-pages.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'
import { writeXlsx } from './write-xlsx.ts'

/** Each export holds a database connection until its client has read the file. */
const maxConcurrent = 8
/** A user whose reader is slow does not take the places of others. */
const maxPerUser = 2
const maxPerAccount = 4
/** The time in which the database finds the rows of an export. */
const pageSeconds = 60
/** An export is aborted when its client reads nothing for this long. */
const timeoutMs = 60_000

type ExportInput = { collection: Collection; access: Access; body: unknown }

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
export function makeExport(app: FastifyInstance, database: Database) {
  const running = new RunningExports()
  const underway = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underway)
  })

  return async function exportItems({ collection, access, body }: ExportInput) {
    demand(access, { action: 'view', subject: collection.subject })
    if (exportNeedsFreshSignIn(collection)) requireFreshSignIn(access)
    const request = parseInput(exportRequest, body)
    const timeZone = zoneOf(request.timeZone, access)
    const columns = exportColumns(collection, { requested: request.columns, timeZone })
    const cells = selectCells({
      collection,
      columns,
      accounts: access.reads,
      request: { filter: request.filter === undefined ? {} : request.filter, search: request.search?.trim() ?? '' },
      sort: sortOf(collection, request.sort),
    })
    const { type, write } = formats[request.format]
    const fileName = nameOfFile({ collection, access, format: request.format, timeZone })
    const file = new PassThrough()
    // All refusals are above: from here on every path reaches `finally`, which frees the slot.
    const end = running.begin(access)
    // The response reports errors that occur before the file is read.
    file.on('error', () => {})
    const begun = Promise.withResolvers<void>()
    const trace = makeExportTrace((sent) =>
      recordExport(database, {
        collection,
        access,
        request,
        columns: columns.map(({ field }) => field),
        timeZone,
        sent,
      }),
    )
    const { reads: accounts, signal } = access
    const work = database.readInAccounts({ accounts, signal }, async (tx) => {
      tx.send(sql`set transaction isolation level repeatable read`)
      tx.send(raw(`set local statement_timeout = '${pageSeconds}s'`))
      const pages = await readPages(tx, { access, columns, cells })
      begun.resolve()
      const sheet = {
        name: collection.name,
        fields: columns.map(({ field }) => field),
        titles: columns.map(({ title }) => title),
      }
      await pipeline(write({ ...sheet, pages: trace.of(readWithin(timeoutMs, { pages, file })) }), file)
    })
    // Before anything is sent, a failure is an error response; afterwards the connection breaks, so that a partial file
    // does not look complete.
    const done = work
      .catch(async (error: Error) => {
        begun.reject(zoneRefusal(error))
        file.destroy(error)
        const hasBegun = await begun.promise.then(
          () => true,
          () => false,
        )
        if (hasBegun) await trace.breakOff()
      })
      .catch((error: unknown) => app.log.error({ err: error }, 'export was not audited'))
      .finally(() => {
        end()
        underway.delete(done)
      })
    underway.add(done)
    await begun.promise
    return { type, fileName, file }
  }
}

/** Aborts the file if the client does not read the next page in time. */
async function* readWithin(ms: number, { pages, file }: { pages: AsyncIterable<Page>; file: PassThrough }) {
  for await (const page of pages) {
    const giveUp = setTimeout(() => file.destroy(new Error('The client stopped reading the export.')), ms)
    try {
      yield page
    } finally {
      clearTimeout(giveUp)
    }
  }
}

type FileNameInput = { collection: Collection; access: Access; timeZone: string } & Pick<
  z.output<typeof exportRequest>,
  'format'
>

/** Names of collections and refs of accounts have letters, digits and hyphens only. */
function nameOfFile({ collection, access, format, timeZone }: FileNameInput) {
  return `${collection.name}-${access.account.ref}-${Temporal.Now.plainDateISO(timeZone).toString()}.${format}`
}

/** The exports that are being sent, by user and by account. */
class RunningExports {
  readonly #running = new Set<{ user: string; account: number }>()

  /** Throws `too_many` beyond a limit; returns a function that ends the export. */
  begin({ person, account }: Access) {
    const all = [...this.#running]
    const ofUser = all.filter(({ user }) => user === person._id)
    const ofAccount = all.filter((one) => one.account === account.key)
    if (all.length >= maxConcurrent || ofUser.length >= maxPerUser || ofAccount.length >= maxPerAccount) throw tooMany()
    const one = { user: person._id, account: account.key }
    this.#running.add(one)
    return () => this.#running.delete(one)
  }
}

function tooMany() {
  return new AppError('too_many', {}, { retryAfterSeconds: 10 })
}
