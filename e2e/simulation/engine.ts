import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@portcullis/server/database/embedded/start-embedded'
import { loginsFrom } from '@portcullis/server/database/logins'
import { migrate } from '@portcullis/server/database/migrate'
import pg from 'pg'
import { DatabaseSessions } from './database-sessions.ts'

/** In place of the functions of PostgreSQL: statements find them first, by the search path of the database. */
const simulatedTime = (file: string) => `
  create schema sim;
  grant usage on schema sim to public;
  create function sim.now() returns timestamptz language sql stable security definer
    as $$ select to_timestamp(pg_read_file('${file}', 0, 13)::bigint / 1000.0) $$;
  create function sim.clock_timestamp() returns timestamptz language sql volatile security definer
    as $$ select to_timestamp(pg_read_file('${file}', 0, 13)::bigint / 1000.0) $$;`

/** Functions of the schema with a search path of their own would find the time of PostgreSQL. */
const simulateTimeInFunctions = `do $$ declare each regprocedure; begin
  for each in select oid from pg_proc where pronamespace = 'public'::regnamespace
      and exists (select from unnest(proconfig) setting where setting like 'search_path=%') loop
    execute format('alter function %s set search_path = public, sim, pg_catalog, pg_temp', each);
  end loop; end $$`

/** Deletes all rows but those of migrations, without triggers. */
const emptyAllTables = `do $$ declare each regclass; begin
  set local session_replication_role = replica;
  for each in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> 'migration' loop
    execute 'delete from ' || each;
  end loop; end $$`

/** PostgreSQL on a folder of its own, with one migrated database that all days use, one after the other. */
export async function startEngine() {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-simulation-'))
  // Created for its owner only, but PostgreSQL may run as another user.
  await chmod(dataDir, 0o711)
  const engine = await startEmbedded({ dataDir, log: () => {}, purpose: 'tests' })
  const secretKey = randomBytes(32)
  const timeFile = join(dataDir, 'time')
  const time = openSync(timeFile, 'w', 0o644)
  const setTime = (now: number) => void writeSync(time, String(now), 0)

  setTime(Date.now())
  await run(engine.databaseUrl, ['create database day', 'alter database day set search_path = public, sim, pg_catalog'])
  const databaseUrl = databaseIn(engine.databaseUrl, 'day')
  const admin = new pg.Client(databaseIn(engine.adminUrl, 'day'))
  await admin.connect()
  await admin.query(simulatedTime(timeFile))
  await migrate(databaseUrl, { logins: loginsFrom({ databaseUrl, secretKey }) })
  await admin.query(simulateTimeInFunctions)
  const sessions = new DatabaseSessions(databaseUrl)

  return {
    databaseUrl,
    secretKey,
    sessions,
    /** Milliseconds since 1970. A file, because a statement would take longer. */
    setTime,
    /** Begins another day. */
    empty: () => admin.query(emptyAllTables),
    async stop() {
      sessions.close()
      await admin.end()
      await engine.stop()
      closeSync(time)
      await rm(dataDir, { recursive: true })
    },
  }
}

export type Engine = Awaited<ReturnType<typeof startEngine>>

async function run(url: string, statements: readonly string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

function databaseIn(engineUrl: string, name: string) {
  const url = new URL(engineUrl)
  url.pathname = name
  return url.href
}
