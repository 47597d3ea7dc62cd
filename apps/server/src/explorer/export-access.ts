import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { AccessRule, DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { ExportFormat } from '@portcullis/contract/export-request'
import { type Direction, directions } from '@portcullis/domain/policy'
import type { Sheet } from '../exports/export-items.ts'
import { writeCsv } from '../exports/write-csv.ts'
import { writeJson } from '../exports/write-json.ts'
import { writeXlsx } from '../exports/write-xlsx.ts'
import type { Entry } from './access-entries.ts'
import { hoursText } from './hours-text.ts'

type Row = DoorAccess['items'][number] | UserAccess['items'][number]
type Asked<R extends Row> = {
  /** What the file's sheet and the file are called. */
  name: string
  format: ExportFormat
  timeZone: string
  entries: readonly Entry[]
  rowsOf: (entry: Entry) => readonly R[]
  /** The columns that say who or where. */
  about: readonly { field: string; title: string; value: (row: R) => string | null }[]
}

const formats = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  json: { type: 'application/json; charset=utf-8', write: writeJson },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
}

/** A list of who can open what as a file, streamed: all that was found, names in the place of ids. */
export function exportAccess<R extends Row>({ name, format, timeZone, entries, rowsOf, about }: Asked<R>) {
  const columns = [...about, ...commonColumns<R>(timeZone)]
  const sheet: Sheet = {
    name,
    fields: columns.map(({ field }) => field),
    titles: columns.map(({ title }) => title),
    pages: pages(),
  }
  const { type, write } = formats[format]
  const file = new PassThrough()
  // Whoever reads the file hears of a failure as a connection that breaks.
  pipeline(write(sheet), file).catch((error: Error) => file.destroy(error))
  return { type, fileName: `${name}-${Temporal.Now.plainDateISO(timeZone).toString()}.${format}`, file }

  /** Other requests are let in between. */
  async function* pages() {
    for (let at = 0; at < entries.length; at += rowsAtOnce) {
      yield entries
        .slice(at, at + rowsAtOnce)
        .flatMap(rowsOf)
        .map((row) => columns.map(({ value }) => value(row)))
      await setImmediate()
    }
  }
}

const rowsAtOnce = 100

function commonColumns<R extends Row>(timeZone: string): Asked<R>['about'] {
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
    { field: 'reason', title: 'Refused now', value: ({ reason }) => reason?.replaceAll('_', ' ') ?? null },
    { field: 'rules', title: 'Rules', value: ({ rules }) => rules.map(ruleText).join('; ') },
    { field: 'hours', title: 'Hours', value: ({ rules }) => hoursOf(rules) },
  ]
}

const titles = { entry: 'Going in', exit: 'Going out' } as const

/** One end of the next stretch of time in a direction. */
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
