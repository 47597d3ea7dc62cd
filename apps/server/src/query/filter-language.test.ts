import { type Collection, defineCollection } from '@portcullis/contract/collection'
import { instant, reference } from '@portcullis/contract/fields'
import fc from 'fast-check'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../database/test-database.ts'
import { tableOf } from './columns.ts'
import { filterCondition } from './filter.ts'

/** A collection with a field of every kind that can be queried. */
const samples: Collection = defineCollection({
  name: 'samples',
  entity: 'sample',
  subject: 'Sites',
  fields: {
    required: {},
    optional: {
      label: z.string().nullable(),
      rank: z.int().nullable(),
      weight: z.number().nullable(),
      open: z.boolean().nullable(),
      at: instant().nullable(),
      owner: reference('users').nullable(),
    },
  },
  searchable: ['label'],
  queryable: ['label', 'rank', 'weight', 'open', 'at', 'owner'],
})

/** Few values of each kind, so that random filters match random rows; edge cases are among them. */
const values: Record<string, fc.Arbitrary<Value>> = {
  label: fc.constantFrom('', 'a', 'A', 'ab', 'a%b', 'a_b', 'a\\b', "O'Brien", 'عمر', '🏛', '\uFFFD', 'null', ' a'),
  rank: fc.constantFrom(-2_147_483_648, -1, 0, 1, 2, 2_147_483_647),
  weight: fc.constantFrom(-1e300, -0.1, -0, 0, 0.1, 0.30000000000000004, 5e-324, 1),
  open: fc.boolean(),
  at: fc.constantFrom(
    '0001-01-01T00:00:00Z',
    '2026-03-29T01:30:00Z',
    '2026-03-29T03:30:00+02:00',
    '2026-03-29T01:30:00.001Z',
  ),
  owner: fc.constantFrom(
    '01900000-0000-7000-8000-00000000000a',
    '01900000-0000-7000-8000-00000000000A',
    '01900000-0000-7000-8000-00000000000b',
  ),
}
const fields = fc.constantFrom(...Object.keys(values))

type Value = string | number | boolean
type Row = Record<string, Value | null>
type Filter = Record<string, unknown>

const row: fc.Arbitrary<Row> = fc.record(
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, fc.option(value, { freq: 3 })])),
)

function comparisonOf(field: string): fc.Arbitrary<Filter> {
  const value = values[field] ?? fc.constant('')
  const several = fc.array(value, { maxLength: 4 })
  const operand: Record<string, fc.Arbitrary<unknown>> = {
    eq: fc.option(value),
    ne: fc.option(value),
    in: several,
    nin: several,
    gt: value,
    gte: value,
    lt: value,
    lte: value,
    exists: fc.boolean(),
    ...(field === 'label' ? { like: fc.constantFrom('', 'a', 'B', '%', '_', '\\', "'", 'م', '🏛') } : {}),
  }
  const one = fc.constantFrom(...Object.keys(operand)).chain((op) => fc.record({ [op]: operand[op] ?? value }))
  return fc
    .oneof(
      fc.option(value),
      one,
      fc.tuple(one, one).map(([first, second]) => ({ ...first, ...second })),
    )
    .map((condition) => ({ [field]: condition }))
}

const comparisons = fc
  .array(fields.chain(comparisonOf), { maxLength: 2 })
  .map((parts): Filter => Object.fromEntries(parts.flatMap(Object.entries)))

function filterOf(depth: number): fc.Arbitrary<Filter> {
  if (depth === 0) return comparisons
  const below = filterOf(depth - 1)
  const list = fc.array(below, { maxLength: 3 })
  const joined = fc.oneof(
    fc.record({ and: list }),
    fc.record({ or: list }),
    fc.record({ not: below }),
    fc.record({ or: list, not: below }),
  )
  return fc.oneof(
    comparisons,
    joined,
    fc.tuple(comparisons, joined).map(([own, more]) => ({ ...own, ...more })),
  )
}

const { databaseUrl, drop } = await createTestDatabase()
const client = new pg.Client(databaseUrl)
await client.connect()
afterAll(async () => {
  await client.end()
  await drop()
})

const filtersOfTable = 20

test('a filter finds the rows that its definition describes, for random filters and rows', async () => {
  await client.query(`create unlogged table sample (sample_id int, sample_label text, sample_rank int,
    sample_weight float8, sample_open boolean, sample_at timestamptz, sample_owner uuid)`)
  const rows = fc.array(row, { minLength: 1, maxLength: 30 })
  const filters = fc.array(filterOf(4), { minLength: filtersOfTable, maxLength: filtersOfTable })
  let met = 0
  const finds = fc.asyncProperty(rows, filters, async (rows, filters) => {
    await fill(rows)
    for (const filter of filters) {
      const expected = rows.flatMap((row, index) => (isMatch(filter, row) === true ? [index] : []))
      if (expected.length > 0 && expected.length < rows.length) met += 1
      expect(await found(filter), JSON.stringify(filter)).toEqual(expected)
    }
  })
  const tables = Math.ceil(inject('randomCases') / filtersOfTable)
  await fc.assert(finds, { numRuns: tables })
  // Filters that match all rows or none would prove little.
  expect(met).toBeGreaterThan(tables)
}, 600_000)

async function fill(rows: Row[]) {
  await client.query('truncate sample')
  await client.query(
    `insert into sample select index, label, rank, weight, open, at, owner from jsonb_to_recordset($1)
       as given (index int, label text, rank int, weight float8, open boolean, at timestamptz, owner uuid)`,
    [JSON.stringify(rows.map((row, index) => ({ ...row, index })))],
  )
}

async function found(filter: Filter) {
  const condition = filterCondition(filter, { table: tableOf(samples), queryable: samples.queryable })
  const { text, values } = sql`select sample_id from sample where ${condition} order by sample_id`
  const { rows } = await client.query<{ sample_id: number }>(text, values)
  return rows.map(({ sample_id }) => sample_id)
}

/** The intended meaning: a missing value is not equal, greater or less, and `not` matches all that is not true. */
function isMatch(filter: Filter, row: Row): boolean | null {
  return all(Object.entries(filter).map(([key, value]) => isTermMet({ key, value, row })))
}

const parts = z.array(z.record(z.string(), z.unknown()))
const plain = z.record(z.string(), z.unknown())

function isTermMet({ key, value, row }: { key: string; value: unknown; row: Row }): boolean | null {
  if (key === 'and') return all(parts.parse(value).map((part) => isMatch(part, row)))
  if (key === 'or') return some(parts.parse(value).map((part) => isMatch(part, row)))
  if (key === 'not') return isMatch(plain.parse(value), row) !== true
  const actual = row[key] ?? null
  const condition = plain.safeParse(value)
  if (!condition.success) return isMet(key, { op: 'eq', actual, operand: value })
  return all(Object.entries(condition.data).map(([op, operand]) => isMet(key, { op, actual, operand })))
}

const operands = z.union([z.string(), z.number(), z.boolean()])
type Comparison = { op: string; actual: Value | null; operand: unknown }

function isMet(field: string, { op, actual, operand }: Comparison): boolean | null {
  const order = (other: unknown) => (actual === null ? null : compare(field, [actual, operands.parse(other)]))
  const isEqual = (other: unknown) => (other === null ? actual === null : order(other) === 0)
  const isOrdered = (holds: (sign: number) => boolean) => {
    const sign = order(operand)
    return sign === null ? null : holds(sign)
  }
  switch (op) {
    case 'eq':
      return operand !== null && actual === null ? null : isEqual(operand)
    case 'ne':
      return !isEqual(operand)
    case 'in':
      return actual === null ? unknownUnlessEmpty(operand) : z.array(z.unknown()).parse(operand).some(isEqual)
    case 'nin':
      return !z.array(z.unknown()).parse(operand).some(isEqual)
    case 'gt':
      return isOrdered((sign) => sign > 0)
    case 'gte':
      return isOrdered((sign) => sign >= 0)
    case 'lt':
      return isOrdered((sign) => sign < 0)
    case 'lte':
      return isOrdered((sign) => sign <= 0)
    case 'like':
      return actual === null ? null : `${actual}`.toLowerCase().includes(`${operands.parse(operand)}`.toLowerCase())
    case 'exists':
      return (actual !== null) === operand
    default:
      throw new Error(`${op} is not a comparison`)
  }
}

function unknownUnlessEmpty(list: unknown) {
  return z.array(z.unknown()).parse(list).length === 0 ? false : null
}

/** Texts by code points, moments by time, ids regardless of case. */
function compare(field: string, pair: [Value, Value]) {
  if (field === 'at') return sign(pair.map((value) => Date.parse(`${value}`)))
  if (field === 'owner') return sign(pair.map((value) => `${value}`.toLowerCase()))
  if (field === 'label') return Buffer.compare(Buffer.from(`${pair[0]}`), Buffer.from(`${pair[1]}`))
  return sign(pair)
}

function sign([left = 0, right = 0]: Value[]) {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function all(answers: (boolean | null)[]) {
  if (answers.includes(false)) return false
  return answers.includes(null) ? null : true
}

function some(answers: (boolean | null)[]) {
  if (answers.includes(true)) return true
  return answers.includes(null) ? null : false
}
