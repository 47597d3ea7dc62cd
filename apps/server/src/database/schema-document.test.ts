import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const document = join(import.meta.dirname, '../../../../docs/schema.sql')

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.databaseUrl)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('docs/schema.sql matches the schema that the migrations create', async () => {
  const written = await readFile(document, 'utf8')
  expect(written, 'docs/schema.sql is out of date: npm run schema').toBe(await describeSchema(database.databaseUrl))
})

test('the comment of every trigger names its kind of decision 0081', async () => {
  const { rows } = await client.query(
    `select tgrelid::regclass::text as relation, tgname as trigger, obj_description(oid, 'pg_trigger') as comment
       from pg_trigger where not tgisinternal and tgparentid = 0
        and coalesce(obj_description(oid, 'pg_trigger'), '') !~ '^(Derived|Recorded|Security|Writable view): '`,
  )
  expect(rows).toEqual([])
})
