import { aggregateBy, aggregateLimits, aggregateQueryString } from '@portcullis/contract/aggregate-query'
import type { Collection } from '@portcullis/contract/collection'
import { problem } from '@portcullis/contract/errors/problem'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { parseInput } from '../input/parse-input.ts'
import { unusable } from '../errors/unusable.ts'
import { queryableColumn, tableOf } from '../query/columns.ts'
import { listCondition } from '../query/list-condition.ts'
import { filterOf, jsonOf } from '../query/list-request.ts'
import { zoneOf, zoneRefusal } from '../query/zone-of.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { lookedUp } from './looked-up.ts'

type AggregateInput = { collection: Collection; hooks: CollectionHooks; access: Access; query: unknown }

/** Counts the items of a list by field values, or by intervals of local time. */
export async function aggregate(database: Database, { collection, hooks, access, query }: AggregateInput) {
  demand(access, { action: 'view', subject: collection.subject })
  const input = parseInput(aggregateQueryString, query)
  const by = entriesOf(input.by)
  const isByTime = by.some(({ bucket }) => bucket !== undefined)
  const timeZone = isByTime ? zoneOf(input.timeZone, access) : 'UTC'
  const groups = by.map((entry) => groupOf(collection, { ...entry, timeZone }))
  const given = { filter: filterOf(input.filter), search: '' }
  const request = await lookedUp(database, { collection, hooks, access, request: given })
  const found = { accounts: access.reads, filter: request.filter }
  const where = listCondition({ collection, accounts: access.reads, request })
  const storedCounts = hooks.countsOf?.({ ...found, by, timeZone })
  const statement = storedCounts
    ? selectCounts({ groups, count: sql`sum(row_count)`, from: sql`from ${storedCounts}` })
    : selectCounts({ groups, count: sql`count(*)`, from: sql`from ${tableOf(collection).source} where ${where}` })
  try {
    const [[[text] = []] = []] = await askAs(database, access, [statement])
    const rows = countedRows.parse(JSON.parse(text ?? '[]'))
    if (rows.length > aggregateLimits.rows)
      throw unusable('by', problem('too_many_rows', { maximum: aggregateLimits.rows }))
    return { rows: rows.map(({ count, ...values }) => ({ ...namedValues(groups, values), count })) }
  } catch (error) {
    throw zoneRefusal(error)
  }
}

const countedRows = z.array(z.looseObject({ count: z.number() }))

type Group = { field: string; value: Sql; read: (value: unknown) => unknown }

type Entry = { field: string; bucket?: string }

function entriesOf(by: string): Entry[] {
  const input = jsonOf({ parameter: 'by', schema: aggregateBy, text: by })
  const entries = input.map((entry) => (typeof entry === 'string' ? { field: entry } : entry))
  const fields = entries.map(({ field }) => field)
  const repeated = fields.find((field, index) => fields.indexOf(field) < index)
  if (repeated !== undefined) throw unusable('by', problem('repeated_name', { name: repeated }))
  return entries
}

function groupOf(collection: Collection, { field, bucket, timeZone }: Entry & { timeZone: string }): Group {
  const column = collection.queryable.includes(field) ? queryableColumn(tableOf(collection), field) : undefined
  if (!column || column.link) throw unusable('by', problem('not_countable', { field }))
  if (bucket === undefined) return { field, value: column.output, read: (value) => value }
  if (column.kind !== 'instant') throw unusable('by', problem('no_buckets', { field, bucket }))
  const begin = sql`date_trunc(${bucket}, ${column.name}, ${timeZone})`
  return {
    field,
    // As a number: the text of a year does not distinguish BC from AD.
    value: sql`(extract(epoch from ${begin}) * 1000)::bigint`,
    read: (value) => beginOf(value, { bucket, timeZone }),
  }
}

/**
 * Where clocks go back at midnight a day has two midnights: PostgreSQL truncates to the second, but the day begins at
 * the first.
 */
function beginOf(value: unknown, { bucket, timeZone }: { bucket: string; timeZone: string }) {
  if (typeof value !== 'number') return value
  const begin = Temporal.Instant.fromEpochMilliseconds(value)
  const first = bucket === 'hour' ? begin : begin.toZonedDateTimeISO(timeZone).startOfDay()
  return new Date(first.epochMilliseconds).toISOString()
}

function selectCounts({ groups, count, from }: { groups: Group[]; count: Sql; from: Sql }) {
  const values = groups.map(({ value }, index) => sql`${value} as ${raw(`"${index}"`)}`)
  const places = raw(groups.map((_, index) => index + 1).join(', '))
  return sql`select json_agg(counted)::text from (
      select ${join(values)}, ${count} as count ${from}
       group by ${places} having ${count} > 0 order by ${places} limit ${aggregateLimits.rows + 1}
    ) counted`
}

function namedValues(groups: Group[], values: Record<string, unknown>) {
  return Object.fromEntries(groups.map(({ field, read }, index) => [field, read(values[index])]))
}
