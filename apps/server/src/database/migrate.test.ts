import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { migrate } from './migrate.ts'
import { readMigrations, schemaVersion } from './read-migrations.ts'
import { createEmptyDatabase, createTestDatabase } from './test-database.ts'
import { plantMigrations } from './test-migrations.ts'

const own = await readMigrations()
const files = own.map(({ name }) => name)
const drops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop()
})

test('a database is migrated to this version, and a second run applies nothing', async () => {
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

test('a migration that was changed after it was applied is refused by name', async () => {
  const databaseUrl = await testDatabase()
  await query(databaseUrl, `update migration set migration_hash = 'another' where migration_name = '${files[0]}'`)
  await expect(migrate(databaseUrl)).rejects.toThrow(`The migration ${files[0]} was changed`)
})

test('a failed migration leaves nothing behind, and the next start retries it', async () => {
  const databaseUrl = await emptyDatabase()
  await query(databaseUrl, 'create table door ()')
  await expect(migrate(databaseUrl)).rejects.toThrow('The migration 0003-places.sql could not be applied')
  expect(await query(databaseUrl, `select to_regclass('site')::text`)).toEqual([null])
  await query(databaseUrl, 'drop table door')
  expect(await migrate(databaseUrl)).toEqual(files.slice(files.indexOf('0003-places.sql')))
})

describe('a database that this version cannot work with', () => {
  test('made by an unreleased version: refused with the remedy, and left unchanged', async () => {
    const databaseUrl = await emptyDatabase()
    await query(
      databaseUrl,
      `create table migration (migration_name text primary key, migration_hash text not null,
         migration_applied_at timestamptz not null default now())`,
    )
    await query(
      databaseUrl,
      `insert into migration values ('0001-first-form.sql', 'hash'), ('0034-rights-are-proven-last.sql', 'hash')`,
    )
    await expect(migrate(databaseUrl)).rejects.toThrow(
      /^This database was made by an unreleased version of Portcullis \(with the migration 0001-first-form\.sql\) and cannot be upgraded\. Nothing was changed\..* DATA_DIR/,
    )
    await expect(migrate(databaseUrl)).rejects.toBeInstanceOf(ConfigError)
    expect(await query(databaseUrl, `select to_regclass('account')::text`)).toEqual([null])
  })

  test('upgraded by a newer version: refused below the minimum version that it requires', async () => {
    const version = await schemaVersion()
    const planted = await plant({
      'expand.sql': 'alter table site add column site_nickname text;',
      'contract.sql': `-- The old name goes.\n-- minimum version: ${version + 1}\n\nalter table site drop column site_address;`,
    })
    const databaseUrl = await testDatabase()
    expect(await migrate(databaseUrl, { migrations: [...own, ...planted.slice(0, 1)] })).toHaveLength(1)
    expect(await migrate(databaseUrl), 'additions do not affect older servers').toEqual([])
    expect(await migrate(databaseUrl, { migrations: [...own, ...planted] })).toHaveLength(1)
    await expect(migrate(databaseUrl)).rejects.toThrow(
      `it needs schema version ${version + 1} or later, and this server has ${version}.`,
    )
    await expect(migrate(databaseUrl)).rejects.toBeInstanceOf(ConfigError)
    expect(await migrate(databaseUrl, { migrations: [...own, ...planted.slice(0, 1)] })).toEqual([])
  })

  test("a minimum version above the migration's own is an error in the file", async () => {
    const version = (await schemaVersion()) + 2
    await expect(plant({ 'one.sql': `-- minimum version: ${version}\nselect 1;` })).rejects.toThrow(
      'newer than the migration itself',
    )
  })
})

describe('a migration', () => {
  const alter = { 'wide.sql': 'alter table site add column site_wide boolean;' }

  test('lets other statements run while its table is locked, and retries', async () => {
    const databaseUrl = await testDatabase()
    const holder = await holdSites(databaseUrl)
    const received: string[] = []
    const migrations = [...own, ...(await plant(alter))]
    const applied = await migrate(databaseUrl, {
      migrations,
      patience: { lockTimeoutMs: 20, pauseMs: 1, tries: 1_000 },
      report: (sentence) => {
        if (received.push(sentence) === 2) holder.release()
      },
    })
    expect(applied).toHaveLength(1)
    expect(received[0]).toMatch(/wide\.sql waits for locked tables and tries again/)
    await holder.end()
  })

  test('gives up after its last try, without any change', async () => {
    const databaseUrl = await testDatabase()
    const holder = await holdSites(databaseUrl)
    const patience = { lockTimeoutMs: 5, pauseMs: 1, tries: 3 }
    const migrations = [...own, ...(await plant(alter))]
    const received: string[] = []
    const report = (sentence: string) => received.push(sentence)
    await expect(migrate(databaseUrl, { migrations, patience, report })).rejects.toThrow('tables locked 3 times')
    expect(received).toHaveLength(2)
    expect(await query(databaseUrl, `select count(*)::int from migration`)).toEqual([own.length])
    await holder.end()
  })

  const concurrent = `-- Found by name.
-- no transaction

drop index concurrently if exists site_by_planted_name;
create index concurrently site_by_planted_name on site (site_account, site_name);
`

  test('outside a transaction runs statement by statement, while other servers wait', async () => {
    const databaseUrl = await testDatabase()
    const migrations = [...own, ...(await plant({ 'index.sql': concurrent }))]
    const applied = await Promise.all([1, 2, 3].map(() => migrate(databaseUrl, { migrations })))
    expect(applied.flat()).toHaveLength(1)
    expect(await query(databaseUrl, `select to_regclass('site_by_planted_name')::text`)).toEqual([
      'site_by_planted_name',
    ])
  })

  test('outside a transaction repeats interrupted statements', async () => {
    const databaseUrl = await testDatabase()
    await query(databaseUrl, 'create index site_by_planted_name on site (site_name)')
    const migrations = [...own, ...(await plant({ 'index.sql': concurrent }))]
    expect(await migrate(databaseUrl, { migrations })).toHaveLength(1)
    expect(await query(databaseUrl, `select pg_get_indexdef('site_by_planted_name'::regclass)`)).toEqual([
      expect.stringContaining('(site_account, site_name)'),
    ])
  })

  test('outside a transaction refuses statements that need one', async () => {
    const databaseUrl = await testDatabase()
    const text = '-- no transaction\nalter table site add column site_wide boolean;'
    const migrations = [...own, ...(await plant({ 'wrong.sql': text }))]
    await expect(migrate(databaseUrl, { migrations })).rejects.toMatchObject({
      cause: { message: 'This statement must run in a transaction: alter table site add column site_wide boolean' },
    })
  })
})

async function emptyDatabase() {
  const { databaseUrl, drop } = await createEmptyDatabase()
  drops.push(drop)
  return databaseUrl
}

async function testDatabase() {
  const { databaseUrl, drop } = await createTestDatabase()
  drops.push(drop)
  return databaseUrl
}

async function plant(texts: Record<string, string>) {
  const { migrations, remove } = await plantMigrations(texts)
  drops.push(remove)
  return migrations
}

/** Locks the table of sites, as a long query does, until it is released. */
async function holdSites(databaseUrl: string) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('begin; lock table site in access share mode')
  let released: Promise<unknown> = Promise.resolve()
  return {
    release: () => {
      released = client.query('commit')
    },
    end: async () => {
      await released
      await client.end()
    },
  }
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
