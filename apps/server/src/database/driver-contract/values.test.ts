import pg from 'pg'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database.ts'
import { prepared } from '../prepared-statements.ts'
import { createTestDatabase } from '../test-database.ts'
import { outcomesOf } from './outcomes-of.ts'

const { databaseUrl, logins, drop } = await createTestDatabase()
const database = new Database({ logins, connections: 2 })
const client = new pg.Client(databaseUrl)
await client.connect()
afterAll(async () => {
  await client.end()
  await database.close()
  await drop()
})

/** Values of every type that is sent or read: the value sent, its text from the database, and the value read. */
const bytes = Buffer.from([0, 1, 0x5c, 0x27, 0xff])
const texts = [
  '',
  ' ',
  'x',
  'y"\\z',
  'NULL',
  'null',
  'a,b',
  '{c}',
  "o'clock",
  '\\x00',
  'line\nbreak\ttab',
  'žluť 👋 \u202e',
]
const textArray = String.raw`{""," ",x,"y\"\\z","NULL","null","a,b","{c}",o'clock,"\\x00","line
break	tab","žluť 👋 ${'\u202e'}"}`
const moment = new Date('2026-03-29T01:02:03.004Z')
const document = { a: [null, 1, 'x"\\'], 'ž 👋': { b: false } }
const id = '01a2060f-40d4-7035-a7b2-416bb4cb48a3'

const values: { type: string; sent: unknown; cell: string | null; read?: unknown }[] = [
  { type: 'boolean', sent: true, cell: 't', read: true },
  { type: 'boolean', sent: false, cell: 'f', read: false },
  { type: 'integer', sent: 2_147_483_647, cell: '2147483647', read: 2_147_483_647 },
  { type: 'integer', sent: -2_147_483_648, cell: '-2147483648', read: -2_147_483_648 },
  { type: 'integer', sent: -0, cell: '0', read: 0 },
  { type: 'bigint', sent: Number.MAX_SAFE_INTEGER, cell: '9007199254740991', read: Number.MAX_SAFE_INTEGER },
  { type: 'bigint', sent: -9_007_199_254_740_991n, cell: '-9007199254740991', read: Number.MIN_SAFE_INTEGER },
  { type: 'bigint', sent: 9_223_372_036_854_775_807n, cell: '9223372036854775807' },
  { type: 'double precision', sent: 1.5e-7, cell: '1.5e-07', read: 1.5e-7 },
  { type: 'double precision', sent: 1e21, cell: '1e+21', read: 1e21 },
  { type: 'double precision', sent: Number.NaN, cell: 'NaN', read: Number.NaN },
  { type: 'numeric', sent: '12.340', cell: '12.340', read: '12.340' },
  ...texts.map((text) => ({ type: 'text', sent: text, cell: text, read: text })),
  { type: 'text', sent: 'x'.repeat(3_000_000), cell: 'x'.repeat(3_000_000) },
  { type: 'text', sent: null, cell: null, read: null },
  { type: 'text', sent: undefined, cell: null, read: null },
  { type: 'uuid', sent: id, cell: id, read: id },
  { type: 'bytea', sent: bytes, cell: String.raw`\x00015c27ff`, read: bytes },
  { type: 'bytea', sent: Buffer.alloc(0), cell: String.raw`\x`, read: Buffer.alloc(0) },
  { type: 'bytea', sent: '\\x00ff', cell: String.raw`\x00ff`, read: Buffer.from([0, 255]) },
  { type: 'date', sent: '2028-02-29', cell: '2028-02-29', read: new Date(2028, 1, 29) },
  { type: 'timestamp with time zone', sent: moment, cell: '2026-03-29 01:02:03.004+00', read: moment.toISOString() },
  { type: 'timestamp with time zone', sent: '2026-10-25T02:30:00.123456+02:00', cell: '2026-10-25 00:30:00.123456+00' },
  { type: 'timestamp with time zone', sent: new Date('0099-01-01'), cell: '0099-01-01 00:00:00+00' },
  { type: 'interval', sent: '36 hours', cell: '36:00:00' },
  { type: 'json', sent: document, cell: JSON.stringify(document), read: document },
  { type: 'json', sent: '[]', cell: '[]', read: [] },
  { type: 'jsonb', sent: { a: [null, 'x"\\'] }, cell: String.raw`{"a": [null, "x\"\\"]}`, read: { a: [null, 'x"\\'] } },
  { type: 'jsonb', sent: {}, cell: '{}', read: {} },
  { type: 'jsonb', sent: '[]', cell: '[]', read: [] },
  {
    type: 'jsonb',
    sent: JSON.stringify([1, ['a"b'], {}]),
    cell: String.raw`[1, ["a\"b"], {}]`,
    read: [1, ['a"b'], {}],
  },
  { type: 'jsonb', sent: 'null', cell: 'null', read: null },
  { type: 'jsonb', sent: 7, cell: '7', read: 7 },
  { type: 'text[]', sent: [], cell: '{}', read: [] },
  { type: 'text[]', sent: texts, cell: textArray, read: texts },
  { type: 'text[]', sent: [null, undefined, 'x'], cell: '{NULL,NULL,x}', read: [null, null, 'x'] },
  { type: 'integer[]', sent: [], cell: '{}', read: [] },
  { type: 'integer[]', sent: [1, -2, null], cell: '{1,-2,NULL}', read: [1, -2, null] },
  { type: 'bigint[]', sent: [Number.MAX_SAFE_INTEGER, 1n], cell: '{9007199254740991,1}' },
  { type: 'double precision[]', sent: [0.5, 1e21], cell: '{0.5,1e+21}', read: [0.5, 1e21] },
  { type: 'boolean[]', sent: [true, false, null], cell: '{t,f,NULL}', read: [true, false, null] },
  { type: 'uuid[]', sent: [id], cell: `{${id}}`, read: [id] },
  { type: 'uuid[]', sent: [], cell: '{}', read: [] },
  { type: 'bytea[]', sent: [bytes, null], cell: String.raw`{"\\x00015c27ff",NULL}`, read: [bytes, null] },
  { type: 'timestamp with time zone[]', sent: [moment], cell: '{"2026-03-29 01:02:03.004+00"}', read: [moment] },
  {
    type: 'jsonb[]',
    sent: [{ a: 1 }, '[]', null],
    cell: String.raw`{"{\"a\": 1}",[],NULL}`,
    read: [{ a: 1 }, [], null],
  },
  { type: 'xid8', sent: '18446744073709551615', cell: '18446744073709551615', read: '18446744073709551615' },
  { type: 'pg_snapshot', sent: '10:20:10,14', cell: '10:20:10,14', read: '10:20:10,14' },
  { type: 'regclass', sent: 'account', cell: 'account', read: 'account' },
]

test.each(values)('$type carries $sent', async ({ type, sent, ...expected }) => {
  const query = sql`select ${sent}::${raw(type)} as value`
  for (const question of [query, prepared(sql`select ${sent}::${raw(type)} as value`)]) {
    expect(await database.askSystem([question])).toEqual([[[expected.cell]]])
  }
  if (!('read' in expected)) return
  const row = await database.asSystem((tx) => tx.first(z.object({ value: z.unknown() }), query))
  expect(row).toEqual({ value: expected.read })
})

test('every column type of the schema is tested', async () => {
  const { rows } = await client.query<{ type: string }>(`
    select distinct format_type(atttypid, null) as type from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped`)
  const tried = new Set(values.map(({ type }) => type))
  expect(rows.map(({ type }) => type).filter((type) => !tried.has(type))).toEqual([])
})

const tooMany = sql`select array[${join(Array.from({ length: 70_000 }, () => 1))}]`
const circular: unknown[] = []
circular.push({ circular })
test.each<[string, Sql, string]>([
  ['a NUL in a text', sql`select ${'a\0b'}::text`, '22021'],
  ['a NUL in a list', sql`select ${['a\0b']}::text[]`, '22021'],
  ['a NUL in a document', sql`select ${{ a: 'x\0y' }}::jsonb`, '22P05'],
  ['a text that is invalid for the type', sql`select ${'x'}::uuid`, '22P02'],
  ['a list for a document', sql`select ${['x']}::jsonb`, '22P02'],
  ['more values than the protocol can count', tooMany, '08P01'],
  ['a circular object', sql`select ${{ circular }}::jsonb`, 'A value cannot be sent to the database.'],
  ['an invalid date', sql`select ${new Date('x')}::timestamptz`, 'A value cannot be sent to the database.'],
])('%s is refused, and the connection stays usable', async (_, query, code) => {
  const outcomes = await outcomesOf(client, [query, sql`select 1`])
  expect(outcomes).toEqual([code, code])
  expect(await outcomesOf(client, [sql`select 2`])).toEqual([[['2']]])
})
