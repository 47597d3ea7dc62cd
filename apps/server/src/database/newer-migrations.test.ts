import { afterEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { type Migration, readMigrations, versionOf } from './read-migrations.ts'
import { createEmptyDatabase } from './test-database.ts'
import { fillEstate } from './test-estate.ts'
import { findLongLocks } from './test-long-locks.ts'
import { plantMigrations } from './test-migrations.ts'

/** The files of the first release by area: only empty databases apply them. */
const firstVersion = 9
const maxMs = 1_000

const own = await readMigrations()
const first = own.filter(({ name }) => versionOf(name) <= firstVersion)
const drops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop()
})

test('no migration since the first version locks a table of a large estate for more than a second', async () => {
  const newer = own.slice(first.length)
  expect(await longLocksOf({ newer, sizes: { people: 20_000, events: 1_000_000 } })).toEqual([])
})

test('a planted migration that keeps a table locked is found, and others are not', async () => {
  const { migrations, remove } = await plantMigrations({
    'column.sql': 'alter table door add column door_floor text;',
    'table.sql': 'create table floor (floor_id uuid primary key); lock table floor; select pg_sleep(1.2);',
    'index.sql': '-- no transaction\ncreate index concurrently door_by_floor on door (door_account, door_floor);',
    'slow.sql': 'alter table door alter column door_floor set default 0; select pg_sleep(1.2);',
    'index-of-writers.sql':
      'create index credential_by_planted on credential (credential_status); select pg_sleep(1.2);',
  })
  drops.push(remove)
  const found = await longLocksOf({
    newer: [...own.slice(first.length), ...migrations],
    sizes: { people: 500, events: 5_000 },
  })
  expect(found.map(({ migration, ...lock }) => ({ ...lock, migration: migration.slice('0000-'.length) }))).toEqual([
    { migration: 'slow.sql', table: 'door', mode: 'AccessExclusiveLock' },
    { migration: 'index-of-writers.sql', table: 'credential', mode: 'ShareLock' },
  ])
})

type LongLocksOptions = { newer: readonly Migration[]; sizes: { people: number; events: number } }

async function longLocksOf({ newer, sizes }: LongLocksOptions) {
  if (newer.length === 0) return []
  const { databaseUrl, drop } = await createEmptyDatabase()
  drops.push(drop)
  await migrate(databaseUrl, { migrations: first })
  await fillEstate(databaseUrl, sizes)
  return findLongLocks({ databaseUrl, applied: first, newer, maxMs })
}
