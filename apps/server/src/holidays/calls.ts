import {
  exportCalendar,
  type FoundHoliday,
  foundHoliday,
  importBounds,
  importHolidays,
  type ImportRow,
} from '@portcullis/contract/calls/import-holidays'
import { nationalHolidays } from '@portcullis/contract/calls/national-holidays'
import type { InputOf } from '@portcullis/contract/call'
import { holidays } from '@portcullis/contract/collections/holidays'
import { problem } from '@portcullis/contract/errors/problem'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { askAs, workAs } from '../abilities/access-proof.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { creation } from '../collections/create.ts'
import { patching } from '../collections/patch.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { recordExport } from '../exports/record-export.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { oneLongStep } from '../input/one-long-step.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { itemOf, readItems } from '../query/read-items.ts'
import { holidaysOf, planImport, type Rejected } from './plan-import.ts'

type HolidayCallsOptions = Pick<ServeCall, 'serveCall' | 'serveProvenCall'> & {
  database: Database
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  now: () => number
}

/** Holidays from and to calendar files. */
export function registerHolidayCalls(app: FastifyInstance, options: HolidayCallsOptions) {
  const { database, serveCall, serveProvenCall } = options
  serveProvenCall(app, importHolidays, async ({ access, input }) => {
    const found = await foundIn(input, options)
    const hooks = options.hooksByCollection['holidays'] ?? {}
    return workAs(database, access, async (tx) => ({ rows: await store(tx, { access, hooks, input, found }) }))
  })
  serveCall(app, nationalHolidays, async ({ query }) => {
    const { readNational } = await import('./national-holidays.ts')
    const thisYear = new Date(options.now()).getUTCFullYear()
    return oneLongStep(() => readNational({ ...query, thisYear }))
  })
  serveProvenCall(app, exportCalendar, async ({ access, reply, input: { calendar } }) => {
    const all = await readAll(database, { access, calendar })
    const { writeCalendar } = await import('./write-calendar.ts')
    const file = await oneLongStep(() => writeCalendar(all, calendar))
    const sent = { rows: all.length, isWhole: true }
    const { timeZone, columns } = { timeZone: 'UTC', columns: ['name', 'kind', 'dates'] }
    await recordExport(database, { collection: holidays, access, request: { format: 'ics' }, columns, timeZone, sent })
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="holidays.ics"')
      .send(file)
  })
}

type Input = InputOf<typeof importHolidays>
type Found = readonly (FoundHoliday | Rejected)[]

async function foundIn(
  { file, holidays: list = [], kind }: Input,
  { now }: Pick<HolidayCallsOptions, 'now'>,
): Promise<Found> {
  if (file === undefined) return list
  const { readCalendar } = await import('./read-calendar.ts')
  const year = new Date(now()).getUTCFullYear()
  const found = await oneLongStep(() => holidaysOf(readCalendar(file, { year }), kind))
  if (found.filter(isAccepted).length > importBounds.holidays)
    throw new AppError(
      'bad_request',
      {},
      { fields: { file: problem('too_many_entries', { maximum: importBounds.holidays }) } },
    )
  return found
}

const maxExported = 5_000

type Store = { access: Access; hooks: CollectionHooks; input: Input; found: Found }

async function store(tx: Transaction, { access, hooks, input, found }: Store): Promise<ImportRow[]> {
  const { calendar, dryRun, replaceDates } = input
  if (!dryRun) lockTree(tx, { root: access.account.root, turn: 'alone' })
  const plan = planImport(found, { stored: await storedIn(tx, { access, calendar }), replaceDates })
  const as = { collection: holidays, hooks, access }
  const rows: ImportRow[] = []
  for (const row of plan) {
    const isStored = !dryRun && (row.state === 'new' || row.state === 'changed')
    const written = isStored ? await write(row) : undefined
    rows.push({ ...row, _id: written?._id ?? row._id, entry: written?.entry ?? null })
  }
  return rows

  async function write({ holiday, _id }: (typeof plan)[number]) {
    const change =
      _id === null
        ? await creation({ ...as, body: { ...holiday, calendar } })
        : await patching({ ...as, id: _id, body: { ...holiday } })
    const { item, entry } = await change(tx)
    return { _id: z.uuid().parse(item['_id']), entry }
  }
}

const stored = foundHoliday.omit({ dates: true }).extend({
  _id: z.uuid(),
  updatedAt: z.string(),
  dates: z.array(z.object({ from: z.string(), until: z.string(), recurring: z.boolean() })),
})
const fields = Object.keys(stored.shape)
const table = tableOf(holidays)

/** The holidays of the account in a calendar, or those of none. */
async function storedIn(tx: Transaction, { access, calendar }: { access: Access; calendar: string | null }) {
  const isOfCalendar = sql`holiday_calendar is not distinct from ${calendar}`
  const where = sql`${belongsTo(table, [access.account.key])} and ${isOfCalendar} order by ${table.id}`
  const rows = await readItems(tx, { collection: holidays, fields, where })
  return rows.map(({ item }) => stored.parse(JSON.parse(item)))
}

async function readAll(database: Database, { access, calendar }: { access: Access; calendar: string | undefined }) {
  const item = itemOf({ collection: holidays, fields, accounts: access.reads })
  const isOfCalendar = calendar === undefined ? sql`true` : sql`holiday_calendar = ${calendar}`
  const query = sql`select ${item}::text as item from ${table.source}
    where ${belongsTo(table, access.reads)} and ${isOfCalendar} order by holiday_name, ${table.id} limit ${maxExported}`
  const [rows = []] = await askAs(database, access, [query])
  return rows.map(([text]) => stored.parse(JSON.parse(text ?? '')))
}

function isAccepted(found: FoundHoliday | Rejected) {
  return !('rejection' in found)
}
