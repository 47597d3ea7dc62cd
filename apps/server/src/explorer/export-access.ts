import type { AccessRule, DoorAccess, exportDoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { InputOf } from '@portcullis/contract/call'
import type { Collection } from '@portcullis/contract/collection'
import type { Language } from '@portcullis/contract/languages'
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
import { accessExportWords } from './access-export-words.ts'

type Row = DoorAccess['items'][number] | UserAccess['items'][number]

type AccessExport<R extends Row> = {
  access: Access
  /** The subject of the rows, for the audit trace of the export: users of a door, or doors of a user. */
  collection: Collection
  of: { door: string } | { user: string }
  request: Request
  entries: readonly Entry[]
  rowsOf: (entries: readonly Entry[]) => Promise<readonly R[]>
  /** The columns that identify the user or the door. */
  about: readonly { field: 'user' | 'door' | 'site'; value: (row: R) => string | null }[]
}

type Column<R extends Row> = { field: string; title: string; value: (row: R) => string | null }

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
    const { access, collection, of, request, about } = options
    const { format, search, can, language = 'en' } = request
    const words = accessExportWords[language]
    const timeZone = zoneOf(request.timeZone, access)
    const name = `${'door' in of ? words.files.users : words.files.doors}-${access.account.ref}`
    const fileName = `${name}-${Temporal.Now.plainDateISO(timeZone).toString()}.${format}`
    const columns: Column<R>[] = [
      ...about.map(({ field, value }) => ({ field, title: words.titles[field], value })),
      ...commonColumns<R>({ timeZone, language }),
    ]
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

type Form = { timeZone: string; language: Language }

function commonColumns<R extends Row>(form: Form): Column<R>[] {
  const words = accessExportWords[form.language]
  return [
    { field: 'state', title: words.titles.state, value: ({ state }) => words.states[state] },
    ...directions.flatMap((direction) => [
      { field: `${direction}From`, title: words.from[direction], value: edgeOf(direction, 'from', form) },
      { field: `${direction}Until`, title: words.until[direction], value: edgeOf(direction, 'until', form) },
    ]),
    {
      field: 'reason',
      title: words.titles.reason,
      value: ({ reason, noRoom }) => {
        if (noRoom) return words.noRoom
        return reason === null ? null : words.reasons[reason]
      },
    },
    {
      field: 'rules',
      title: words.titles.rules,
      value: ({ rules }) => rules.map((rule) => ruleText(rule, form)).join('; '),
    },
    { field: 'hours', title: words.titles.hours, value: ({ rules }) => hoursOf(rules, form) },
  ]
}

/** One end of the next period of access in a direction. */
function edgeOf(direction: Direction, edge: 'from' | 'until', { timeZone }: Form) {
  return ({ opens }: Row) => {
    const at = opens.find((each) => each.direction === direction)?.span?.[edge]
    return at ? localTime(at, timeZone) : null
  }
}

function ruleText({ name, effect }: AccessRule, { language }: Form) {
  const { ruleAbove, deny } = accessExportWords[language]
  const rule = name ?? ruleAbove
  return effect === 'deny' ? deny.replace('{{rule}}', () => rule) : rule
}

function hoursOf(rules: readonly AccessRule[], form: Form) {
  const allowing = rules.filter(({ effect }) => effect === 'allow')
  return [...new Set(allowing.map((rule) => hoursOfRule(rule, form)))].join(' | ')
}

function hoursOfRule({ schedule, adhoc }: AccessRule, { timeZone, language }: Form) {
  const { locale, always, never, temporary } = accessExportWords[language]
  const hours = schedule === null ? always : hoursText(schedule.windows ?? [], locale) || never
  if (!adhoc) return hours
  return temporary
    .replace('{{hours}}', hours)
    .replace('{{from}}', localTime(adhoc.from, timeZone))
    .replace('{{until}}', localTime(adhoc.until, timeZone))
}

function localTime(at: string, timeZone: string) {
  return Temporal.Instant.from(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ')
}

/** The hours of a week in one line: `Mon-Fri 06:00-18:00; Sat 08:00-12:00`. */
function hoursText(windows: readonly Window[], locale: string) {
  return windows.map(({ days, start, end }) => `${daysText(days, locale)} ${start}-${end}`).join('; ')
}

/** Shortens three or more consecutive days to the first and the last. */
function daysText(days: readonly number[], locale: string) {
  const runs: number[][] = []
  for (const day of [...new Set(days)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const nameOf = (day = 1) => monday.add({ days: day - 1 }).toLocaleString(locale, { weekday: 'short' })
  return runs
    .map((run) => (run.length > 2 ? `${nameOf(run[0])}-${nameOf(run.at(-1))}` : run.map(nameOf).join(' ')))
    .join(' ')
}

/** A Monday, the first ISO day of a week. */
const monday = Temporal.PlainDate.from('2024-01-01')
