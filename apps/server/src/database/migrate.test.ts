import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { migrate } from './migrate.ts'
import { createTestDatabase, dropTestDatabase } from './test-database.ts'
import { databaseIn } from './test-engine.ts'

const files = (await readdir(new URL('./migrations/', import.meta.url))).toSorted()
const drops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop()
})

test('a database is brought to this version, and a second time nothing is left to do', async () => {
  const databaseUrl = await emptyDatabase()
  expect(await migrate(databaseUrl)).toEqual(files)
  expect(await migrate(databaseUrl)).toEqual([])
})

test('of servers that start together one migrates and the others wait for it', async () => {
  const databaseUrl = await emptyDatabase()
  const applied = await Promise.all([migrate(databaseUrl), migrate(databaseUrl), migrate(databaseUrl)])
  expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], [], files])
})

test('databases of one engine are migrated side by side', async () => {
  const urls = await Promise.all([emptyDatabase(), emptyDatabase()])
  expect(await Promise.all(urls.map((url) => migrate(url)))).toEqual([files, files])
})

test('a migration that was changed after it had been applied is refused by its name', async () => {
  const { databaseUrl, drop } = await createTestDatabase()
  drops.push(drop)
  await query(databaseUrl, `update migration set migration_hash = 'another' where migration_name = '${files[0]}'`)
  await expect(migrate(databaseUrl)).rejects.toThrow(`The migration ${files[0]} was changed`)
})

test('a migration that fails leaves nothing behind, and the next start tries it again', async () => {
  const databaseUrl = await emptyDatabase()
  await query(databaseUrl, 'create table door ()')
  await expect(migrate(databaseUrl)).rejects.toThrow(`The migration ${files[0]} could not be applied`)
  expect(await query(databaseUrl, `select to_regclass('site')::text`)).toEqual([null])
  await query(databaseUrl, 'drop table door')
  expect(await migrate(databaseUrl)).toEqual(files)
})

async function emptyDatabase() {
  const engineUrl = inject('testEngineUrl')
  const name = `empty_${randomBytes(6).toString('hex')}`
  await query(engineUrl, `create database ${name}`)
  drops.push(() => dropTestDatabase(name))
  return databaseIn(engineUrl, name)
}

async function query(databaseUrl: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}
