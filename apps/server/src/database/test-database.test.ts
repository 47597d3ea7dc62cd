import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

async function query(database: TestDatabase, text: string): Promise<unknown[]> {
  const client = new pg.Client(database.databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

test('every test has a migrated database of its own', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  await query(one, 'create table seen_here_only ()')
  expect(await query(one, `select to_regclass('seen_here_only')::text, to_regclass('migration')::text`)).toEqual([
    'seen_here_only',
    'migration',
  ])
  expect(await query(other, `select to_regclass('seen_here_only')::text, to_regclass('migration')::text`)).toEqual([
    null,
    'migration',
  ])
  await Promise.all([one.drop(), other.drop()])
  await expect(query(one, 'select 1')).rejects.toThrow('does not exist')
})
