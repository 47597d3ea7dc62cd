import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Collection } from '@portcullis/contract/collection'
import { type ExportFormat, exportRequest } from '@portcullis/contract/export-request'
import sql from 'sql-template-tag'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { sortOf } from '../query/list-request.ts'
import { zoneOf, zoneRefusal } from '../query/zone-of.ts'
import { exportColumns } from './export-columns.ts'
import { leaveTrace } from './leave-trace.ts'
import { makeTrace } from './make-trace.ts'
import { type Page, readPages, selectCells } from './read-pages.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'
import { writeXlsx } from './write-xlsx.ts'

/** Each holds a connection for as long as its reader takes. */
const mostAtOnce = 4
/** A reader who takes nothing for so long is given up. */
const patienceMs = 60_000

type Asked = { collection: Collection; access: Access; body: unknown }

/** What a format writes: pages of rows in, text or bytes out, never more than a page at once. */
export type Sheet = { name: string; fields: readonly string[]; titles: readonly string[]; pages: AsyncIterable<Page> }

const formats: Record<ExportFormat, { type: string; write: (sheet: Sheet) => AsyncIterable<string | Uint8Array> }> = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  json: { type: 'application/json; charset=utf-8', write: writeJson },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
}

/**
 * Makes the verb that answers all pages of a list as a file, streamed from one moment of the database. Its end is sent only
 * after its trace has been left; where the reader hangs up before, the trace says how many rows had gone out by then.
 */
export function makeExport(app: FastifyInstance, database: Database) {
  let running = 0
  const underway = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underway)
  })

  return async function exportItems({ collection, access, body }: Asked) {
    demand(access, { action: 'view', subject: collection.subject })
    const asked = parseInput(exportRequest, body)
    const timeZone = zoneOf(asked.timeZone, access)
    const columns = exportColumns(collection, { asked: asked.columns, timeZone })
    const cells = selectCells({
      collection,
      columns,
      accounts: access.reads,
      request: { filter: asked.filter === undefined ? {} : asked.filter, search: asked.search?.trim() ?? '' },
      sort: sortOf(collection, asked.sort),
    })
    const { type, write } = formats[asked.format]
    const fileName = nameOfFile({ collection, access, format: asked.format, timeZone })
    const file = new PassThrough()
    // What can be refused has been: from here on every step leads to the end, which makes room for the next.
    if (running >= mostAtOnce) throw tooMany()
    running += 1
    // What breaks before anybody reads is told by the answer.
    file.on('error', () => {})
    const begun = Promise.withResolvers<void>()
    const trace = makeTrace((sent) =>
      leaveTrace(database, { collection, access, asked, columns: columns.map(({ field }) => field), timeZone, sent }),
    )
    const work = database.inAccounts(access.reads, async (tx) => {
      tx.send(sql`set transaction isolation level repeatable read, read only`)
      const pages = await readPages(tx, { access, columns, cells })
      begun.resolve()
      const sheet = {
        name: collection.name,
        fields: columns.map(({ field }) => field),
        titles: columns.map(({ title }) => title),
      }
      await pipeline(write({ ...sheet, pages: trace.of(takenWithin(patienceMs, { pages, file })) }), file)
    })
    // Until something has been sent the failure is an answer; after that the connection breaks, lest half look whole.
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
      .catch((error: unknown) => app.log.error({ err: error }, 'an export has left no trace'))
      .finally(() => {
        running -= 1
        underway.delete(done)
      })
    underway.add(done)
    await begun.promise
    return { type, fileName, file }
  }
}

/** Breaks the file off where nobody takes the next page in time. */
async function* takenWithin(ms: number, { pages, file }: { pages: AsyncIterable<Page>; file: PassThrough }) {
  for await (const page of pages) {
    const giveUp = setTimeout(() => file.destroy(new Error('Nobody takes the export any more.')), ms)
    try {
      yield page
    } finally {
      clearTimeout(giveUp)
    }
  }
}

type Named = { collection: Collection; access: Access; timeZone: string } & Pick<
  z.output<typeof exportRequest>,
  'format'
>

/** Names of collections and refs of accounts have letters, digits and hyphens only. */
function nameOfFile({ collection, access, format, timeZone }: Named) {
  return `${collection.name}-${access.account.ref}-${Temporal.Now.plainDateISO(timeZone).toString()}.${format}`
}

function tooMany() {
  return new AppError('too_many', {}, { retryAfterSeconds: 10 })
}
