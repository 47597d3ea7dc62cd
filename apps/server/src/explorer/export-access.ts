import type { AccessRule, DoorAccess, exportDoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { InputOf } from '@portcullis/contract/call'
import type { Collection } from '@portcullis/contract/collection'
import { reasonWords } from '@portcullis/contract/reason-words'
import { type Direction, directions, type Window } from '@portcullis/domain/policy'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import type { Sheet } from '../exports/export-items.ts'
import { recordExport } from '../exports/record-export.ts'
import type { RunExport } from '../exports/run-export.ts'
import { makeExportTrace } from '../exports/make-export-trace.ts'
import { writeCsv } from '../exports/write-csv.ts'
import { writeJson } from '../exports/write-json.ts'
import { writeXlsx } from '../exports/write-xlsx.ts'
import { zoneOf } from '../query/zone-of.ts'
import type { Entry } from './access-entries.ts'

type Row = DoorAccess['items'][number] | UserAccess['items'][number]

type AccessExport<R extends Row> = {
  access: Access
  /** The subject of the rows, for the audit trace of the export: users of a door, or doors of a user. */
  collection: Collection
  of: { door: string } | { user: string }
  request: Request
  /** The start of the file's name. */
  name: string
  entries: readonly Entry[]
  rowsOf: (entries: readonly Entry[]) => Promise<readonly R[]>
  /** The columns that identify the user or the door. */
  about: readonly { field: string; title: string; value: (row: R) => string | null }[]
}

type Request = InputOf<typeof exportDoorAccess>

const formats = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  json: { type: 'application/json; charset=utf-8', write: writeJson },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
}

/**
 * Creates the export of an access list as a streamed file: all entries found, with names instead of ids. As with every
 * export, its audit trace is stored before the end of the file is sent.
 */
export function makeAccessExport(database: Database, runExport: RunExport) {
  return async function exportAccess<R extends Row>(options: AccessExport<R>) {
    const { access, collection, of, request, name, about } = options
    const { format, search, can } = request
    const timeZone = zoneOf(request.timeZone, access)
    const fileName = `${name}-${Temporal.Now.plainDateISO(timeZone).toString()}.${format}`
    const columns = [...about, ...commonColumns<R>(timeZone)]
    const fields = columns.map(({ field }) => field)
    const trace = makeExportTrace((sent) => {
      const summary = {
        format,
        ...(search === undefined ? {} : { search }),
        filter: { ...of, ...(can ? { can } : {}) },
      }
      return recordExport(database, { collection, access, request: summary, columns: fields, timeZone, sent })
    })
    const pages = pagesOf(options, (row) => columns.map(({ value }) => value(row)))
    const sheet: Sheet = { name, fields, titles: columns.map(({ title }) => title), pages: trace.of(pages) }
    const { type, write } = formats[format]
    const file = await runExport({ access, work: (send) => send(write(sheet)), breakOff: () => trace.breakOff() })
    return { type, fileName, file }
  }
}

async function* pagesOf<R extends Row>({ entries, rowsOf }: AccessExport<R>, valuesOf: (row: R) => (string | null)[]) {
  for (let at = 0; at < entries.length; at += rowsAtOnce) {
    const rows = await rowsOf(entries.slice(at, at + rowsAtOnce))
    yield rows.map(valuesOf)
  }
}

const rowsAtOnce = 100

function commonColumns<R extends Row>(timeZone: string): AccessExport<R>['about'] {
  return [
    { field: 'state', title: 'Can open', value: ({ state }) => stateWords[state] },
    ...directions.flatMap((direction) => [
      {
        field: `${direction}From`,
        title: `${titles[direction]} from`,
        value: edgeOf(direction, { edge: 'from', timeZone }),
      },
      {
        field: `${direction}Until`,
        title: `${titles[direction]} until`,
        value: edgeOf(direction, { edge: 'until', timeZone }),
      },
    ]),
    { field: 'reason', title: 'Refused now', value: ({ reason }) => (reason === null ? null : reasonWords[reason]) },
    { field: 'rules', title: 'Rules', value: ({ rules }) => rules.map(ruleText).join('; ') },
    { field: 'hours', title: 'Hours', value: ({ rules }) => hoursOf(rules) },
  ]
}

const titles = { entry: 'Going in', exit: 'Going out' } as const

/** One end of the next period of access in a direction. */
function edgeOf(direction: Direction, { edge, timeZone }: { edge: 'from' | 'until'; timeZone: string }) {
  return ({ opens }: Row) => {
    const at = opens.find((each) => each.direction === direction)?.span?.[edge]
    return at ? localTime(at, timeZone) : null
  }
}

const stateWords = { now: 'now', later: 'later', never: 'no' } as const

function ruleText({ name, effect }: AccessRule) {
  return `${name ?? 'a rule of an account above'}${effect === 'deny' ? ' (deny)' : ''}`
}

function hoursOf(rules: readonly AccessRule[]) {
  return [...new Set(rules.filter(({ effect }) => effect === 'allow').map(hoursOfRule))].join(' | ')
}

function hoursOfRule({ schedule, adhoc }: AccessRule) {
  const hours = schedule === null ? 'always' : hoursText(schedule.windows ?? []) || 'never'
  return adhoc ? `${hours}, from ${adhoc.from} until ${adhoc.until}` : hours
}

function localTime(at: string, timeZone: string) {
  return Temporal.Instant.from(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ')
}

/** The hours of a week in one line: `Mon-Fri 06:00-18:00; Sat 08:00-12:00`. */
function hoursText(windows: readonly Window[]) {
  return windows.map(({ days, start, end }) => `${daysText(days)} ${start}-${end}`).join('; ')
}

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Shortens three or more consecutive days to the first and the last. */
function daysText(days: readonly number[]) {
  const runs: number[][] = []
  for (const day of [...new Set(days)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs
    .map((run) => (run.length > 2 ? `${nameOf(run[0])}-${nameOf(run.at(-1))}` : run.map(nameOf).join(' ')))
    .join(' ')
}

function nameOf(day: number | undefined) {
  return names[(day ?? 1) - 1] ?? ''
}
