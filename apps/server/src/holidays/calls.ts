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
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { askAs, workAs } from '../abilities/access-proof.ts'
import { bulkWrites, examinePlans, type Plan, writePlans } from '../collections/write-many.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { recordExport } from '../exports/record-export.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { oneLongStep } from '../input/one-long-step.ts'
import { Turns } from '../limits/turns.ts'
import type { Policies } from '../policy/policies.ts'
import type { PreviewChange } from '../preview/preview-change.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { itemOf, readItems } from '../query/read-items.ts'
import { runInSlices } from '../time-slices.ts'
import { registerHolidaysAbove } from './holidays-above.ts'
import { holidaysOf, planImport, type Rejected } from './plan-import.ts'
import { writeCalendar } from './write-calendar.ts'

type HolidayCallsOptions = Pick<ServeCall, 'serveCall' | 'serveProvenCall'> & {
  database: Database
  policies: Policies
  previewChange: PreviewChange
  now: () => number
}

/** Holidays from and to calendar files. */
export function registerHolidayCalls(app: FastifyInstance, options: HolidayCallsOptions) {
  const { database, serveCall, serveProvenCall } = options
  const { now, previewChange } = options
  registerHolidaysAbove(app, options)
  const turnsOfUser = new Turns(ofUser)
  serveProvenCall(app, importHolidays, async ({ access, query: { preview }, input }) => {
    const found = await foundIn(input, { access, now })
    if (preview !== undefined) {
      const write = (tx: Transaction) => store(tx, { access, input: { ...input, dryRun: false }, found })
      return previewChange(access, { write, withAccess: preview === 'true' })
    }
    const write = () => workAs(database, access, async (tx) => ({ rows: await store(tx, { access, input, found }) }))
    return input.dryRun ? write() : bulkWrites.take(`${access.account.root}`, write)
  })
  serveCall(app, nationalHolidays, ({ access, query }) =>
    turnsOfUser.take(access.person._id, async () => {
      const { readNational } = await import('./national-holidays.ts')
      const thisYear = new Date(now()).getUTCFullYear()
      const step = <T>(work: () => T) => oneLongStep(`${access.account.root}`, work)
      return readNational(query, { step, thisYear, signal: access.signal })
    }),
  )
  serveProvenCall(app, exportCalendar, ({ access, reply, input: { calendar } }) =>
    turnsOfUser.take(access.person._id, async () => {
      const all = await readAll(database, { access, calendar })
      const file = await runInSlices(writeCalendar(parsed(all), calendar))
      const sent = { rows: all.length, isWhole: true }
      const request = { format: 'ics' as const, ...(calendar === undefined ? {} : { filter: { calendar } }) }
      const { timeZone, columns } = { timeZone: 'UTC', columns: ['name', 'kind', 'dates'] }
      await recordExport(database, { collection: holidays, access, request, columns, timeZone, sent })
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'attachment; filename="holidays.ics"')
        .send(file)
    }),
  )
}

/** Of each user: the calendars of some countries take seconds. */
const ofUser = { most: 1, waiting: 10 } as const

type Input = InputOf<typeof importHolidays>
type Found = readonly (FoundHoliday | Rejected)[]

type FindOptions = Pick<HolidayCallsOptions, 'now'> & { access: Access }

async function foundIn({ file, holidays: list = [], kind }: Input, { access, now }: FindOptions): Promise<Found> {
  if (file === undefined) return holidaysOf(list, kind)
  const { readCalendar } = await import('./read-calendar.ts')
  const year = new Date(now()).getUTCFullYear()
  const found = await oneLongStep(`${access.account.root}`, () => holidaysOf(readCalendar(file, { year }), kind))
  if (found.filter(isAccepted).length > importBounds.holidays)
    throw new AppError(
      'bad_request',
      {},
      { fields: { file: problem('too_many_entries', { maximum: importBounds.holidays }) } },
    )
  return found
}

type Store = { access: Access; input: Input; found: Found }

async function store(tx: Transaction, { access, input, found }: Store): Promise<ImportRow[]> {
  const { calendar, dryRun, replaceDates } = input
  if (!dryRun) lockTree(tx, { root: access.account.root, turn: 'alone' })
  const rows = planImport(found, { stored: await storedIn(tx, { access, calendar }), replaceDates })
  if (dryRun) return rows.map((row) => ({ ...row, entry: null }))
  const writes = rows.map((row) => writeOf(row, calendar))
  const plans = writes.flatMap((write) => write ?? [])
  const examined = await examinePlans(tx, { collection: holidays, access, plans })
  access.signal?.throwIfAborted()
  const [refusal] = examined.flatMap((each) => each.refusal ?? [])
  if (refusal) throw refusal
  const entries = await writePlans(tx, { collection: holidays, access, examined })
  const entryOf = new Map(plans.map((plan, at) => [plan, entries[at] ?? null]))
  return rows.map((row, at) => {
    const write = writes[at]
    return { ...row, _id: write?.id ?? row._id, entry: (write && entryOf.get(write)) ?? null }
  })
}

function writeOf({ state, holiday, _id }: ReturnType<typeof planImport>[number], calendar: string | null) {
  if (state !== 'new' && state !== 'changed') return undefined
  const plan: Plan =
    _id === null
      ? { action: 'create', id: uuidv7(), item: { ...holiday, calendar } }
      : { action: 'patch', id: _id, changes: { ...holiday }, asRead: {}, expected: undefined }
  return plan
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

/** Of the holidays, and of all their dates. */
const [maxExported, maxDates] = [5_000, 20_000]

/** As JSON; refused above the maximum. */
async function readAll(database: Database, { access, calendar }: { access: Access; calendar: string | undefined }) {
  const item = itemOf({ collection: holidays, fields, accounts: access.reads })
  const isOfCalendar = calendar === undefined ? sql`true` : sql`holiday_calendar = ${calendar}`
  const query = sql`select ${item}::text as item, jsonb_array_length(holiday_dates)::text as dates from ${table.source}
    where ${belongsTo(table, access.reads)} and ${isOfCalendar}
    order by holiday_name, ${table.id} limit ${maxExported + 1}`
  const [rows = []] = await askAs(database, access, [query])
  const dates = rows.reduce((sum, [, count]) => sum + Number(count), 0)
  if (rows.length > maxExported) throw tooMany(maxExported)
  if (dates > maxDates) throw tooMany(maxDates)
  return rows.map(([text]) => text ?? '')
}

function tooMany(maximum: number) {
  return new AppError('bad_request', {}, { fields: { calendar: problem('too_many_entries', { maximum }) } })
}

function* parsed(texts: readonly string[]) {
  for (const text of texts) yield stored.parse(JSON.parse(text))
}

function isAccepted(found: FoundHoliday | Rejected) {
  return !('rejection' in found)
}
