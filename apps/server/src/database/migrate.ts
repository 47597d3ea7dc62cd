import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config-error.ts'
import type { Logins } from './logins.ts'
import { prepareLogins } from './prepare-logins.ts'
import { type Migration, readMigrations, versionOf } from './read-migrations.ts'
import { makeRoles } from './roles.ts'

/** Advisory lock: servers that start together migrate one after the other. */
const migrationLock = 7_361_905
const turnPollMs = 100

/** The name of the connection in pg_stat_activity. */
export const migrationsName = 'portcullis migrations'

type Options = {
  migrations?: readonly Migration[]
  patience?: Patience
  report?: (sentence: string) => void
  /** The logins to create and check after the migrations. */
  logins?: Logins
}

/**
 * Migrates the database to this version, as the role of the connection. Servers that start together migrate one after
 * the other. Returns the names of the migrations that it applied. Throws a ConfigError if this server cannot use the
 * database.
 */
export async function migrate(databaseUrl: string, options: Options = {}) {
  const { migrations = await readMigrations(), report = () => {} } = options
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: migrationsName,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await acquireLock(client)
    await makeRoles(client)
    const missing = await findMissing(client, migrations)
    for (const migration of missing) {
      await applyMigration({ client, migration, patience: options.patience ?? patience, report })
    }
    if (options.logins) await prepareLogins(client, options.logins)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Polls, because `create index concurrently` would wait for a statement that waits for this lock, and so deadlock. */
async function acquireLock(client: pg.Client) {
  const isLocked = async () => {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      migrationLock,
    ])
    return rows[0]?.locked === true
  }
  while (!(await isLocked())) await delay(turnPollMs)
}

/** The migrations that the database lacks; throws if this server cannot use it. */
async function findMissing(client: pg.Client, migrations: readonly Migration[]) {
  await client.query(
    `create table if not exists migration (
       migration_name text primary key,
       migration_hash text not null,
       -- Servers of an older schema version refuse to start.
       migration_minimum_version int,
       migration_applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ name: string; hash: string; minimum: number | null }>(
    `select migration_name as name, migration_hash as hash,
            (to_jsonb(migration) ->> 'migration_minimum_version')::int as minimum
       from migration order by migration_name`,
  )
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  const version = Math.max(0, ...migrations.map(({ name }) => versionOf(name)))
  refuseUnreleased({ applied: [...applied.keys()], migrations, version })
  refuseNewer({ minimum: Math.max(0, ...rows.map(({ minimum }) => minimum ?? 0)), version })
  for (const { name, hash } of migrations) {
    if ((applied.get(name) ?? hash) === hash) continue
    throw new Error(`The migration ${name} was changed after it had been applied to this database.`)
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

type Applied = { applied: readonly string[]; migrations: readonly Migration[]; version: number }

/** A migration of an earlier number that this version does not have was never part of a release. */
function refuseUnreleased({ applied, migrations, version }: Applied) {
  const ownNames = new Set(migrations.map(({ name }) => name))
  const unreleased = applied.find((name) => !ownNames.has(name) && versionOf(name) <= version)
  if (unreleased === undefined) return
  throw new ConfigError(
    `This database was made by an unreleased version of Portcullis (with the migration ${unreleased}) and cannot be upgraded. Nothing was changed. To start with an empty database, set DATA_DIR to another folder, or DATABASE_URL to an empty database.`,
  )
}

function refuseNewer({ minimum, version }: { minimum: number; version: number }) {
  if (minimum <= version) return
  throw new ConfigError(
    `A newer version of Portcullis has changed this database: it needs schema version ${minimum} or later, and this server has ${version}. Nothing was changed. Start the newer version, or restore a backup from before its upgrade.`,
  )
}

/**
 * How long a migration waits for a lock, during which other statements queue behind it, and how often it tries again.
 */
type Patience = { lockTimeoutMs: number; pauseMs: number; tries: number }

const patience: Patience = { lockTimeoutMs: 1_000, pauseMs: 2_000, tries: 60 }

type Applying = { client: pg.Client; migration: Migration; patience: Patience; report: (sentence: string) => void }

/** Applies and records a migration. */
async function applyMigration(applying: Applying) {
  const { client, migration } = applying
  try {
    if (migration.isTransaction) await retryLocks(applying, () => runInTransaction(applying))
    else await runByStatement(client, migration)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new Error(`The migration ${migration.name} could not be applied.`, { cause })
  }
}

async function retryLocks({ migration, patience: { tries, pauseMs }, report }: Applying, run: () => Promise<void>) {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await run()
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      if (left <= 0) {
        throw new ConfigError(
          `The migration ${migration.name} found its tables locked ${tries} times. None of it was applied. End the transactions that hold locks (pg_stat_activity lists them), and start again.`,
          { cause },
        )
      }
      report(`The migration ${migration.name} waits for locked tables and tries again.`)
      await delay(pauseMs)
    }
  }
}

async function runInTransaction({ client, migration, patience: { lockTimeoutMs } }: Applying) {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.text)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Statements outside a transaction may run again after an interruption, so each must be repeatable: `drop index
 * concurrently if exists`, then `create index concurrently`. They wait for locks without a limit, and block no others
 * meanwhile.
 */
async function runByStatement(client: pg.Client, migration: Migration) {
  const statements = migration.text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  const unfit = statements.find((statement) => !/\bconcurrently\b|^(vacuum|analyze)\b/i.test(statement))
  if (unfit !== undefined) throw new Error(`This statement must run in a transaction: ${unfit}`)
  for (const statement of statements) await client.query(statement)
  await record(client, migration)
}

async function record(client: pg.Client, { name, hash, minimumVersion }: Migration) {
  await client.query(
    'insert into migration (migration_name, migration_hash, migration_minimum_version) values ($1, $2, $3)',
    [name, hash, minimumVersion],
  )
}

/** lock_not_available */
function isLockTimeout(error: unknown) {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}
