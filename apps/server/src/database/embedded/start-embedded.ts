import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type pg from 'pg'
import { adoptEngine, type RunningEngine } from './adopt-engine.ts'
import { openClusterHome, systemFolder } from './cluster-home.ts'
import { engineBinaries } from './engine-binaries.ts'
import { launchEngine } from './launch-engine.ts'
import { adminRole, makeCluster } from './make-cluster.ts'
import type { EngineAccount } from './engine-account.ts'
import { isPostgres, readPostmasterLock } from './postmaster-lock.ts'

const run = promisify(execFile)

const name = 'portcullis'

export type EmbeddedDatabase = {
  /** For the server: its own role, owner of its database, no superuser. */
  databaseUrl: string
  /** For tests and repairs: the superuser's. */
  adminUrl: string
  stop: () => Promise<void>
}

type Start = {
  dataDir: string
  log: (sentence: string) => void
  /** `tests`: the role may create databases, and nothing survives a power cut. */
  purpose?: 'server' | 'tests'
}

/**
 * Starts the embedded PostgreSQL on a folder's data, or adopts the one that a killed process left running there.
 * Restarts it on the same port if it dies; `stop` ends it. Throws a ConfigError if it cannot start.
 */
export async function startEmbedded({ dataDir, log, purpose = 'server' }: Start): Promise<EmbeddedDatabase> {
  const { home, credentials, account } = await openClusterHome({ dataDir, log })
  const { clusterDir, adminPassword, serverPassword } = credentials
  const { initdb, postgres, pgCtl } = await engineBinaries({
    account,
    copyTo: account === undefined ? home : systemFolder,
    log,
  })
  const isDurable = purpose === 'server'
  if (!existsSync(clusterDir)) await makeCluster({ initdb, clusterDir, adminPassword, account, isDurable })

  const stopNow = () => stopEngine({ pgCtl, clusterDir, account })
  const settings = isDurable ? serverSettings : { ...serverSettings, ...throwAwaySettings }
  const launch = { postgres, home, clusterDir, adminPassword, account, settings }
  const findOrLaunch = async (port: number | undefined) =>
    (await adoptEngine({ clusterDir, dataDir, adminPassword, stop: stopNow })) ??
    (await launchEngine({ ...launch, port }))

  let running = await findOrLaunch(undefined)
  let isStopping = false
  let revival: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  watch(running)
  process.on('exit', stopOnExit)
  await prepareServerDatabase({ client: running.client, serverPassword, mayCreateDatabases: purpose === 'tests' })

  return {
    databaseUrl: serverDatabaseUrl(running.port, serverPassword),
    adminUrl: `postgres://${adminRole}:${adminPassword}@127.0.0.1:${running.port}/postgres`,
    stop: () => (stopped ??= end()),
  }

  async function end(): Promise<void> {
    isStopping = true
    process.off('exit', stopOnExit)
    await revival
    await running.client.end()
    await stopNow()
  }

  function watch(engine: RunningEngine): void {
    engine.client.once('end', () => {
      if (!isStopping) revival = revive(engine.port)
    })
  }

  async function revive(port: number): Promise<void> {
    while (!isStopping) {
      try {
        running = await findOrLaunch(port)
        watch(running)
        log('The embedded PostgreSQL stopped and was restarted.')
        return
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        await delay(1_000)
      }
    }
  }

  /** Runs when the process exits without `stop`, when nothing can be awaited. */
  function stopOnExit(): void {
    try {
      process.kill(running.pid, 'SIGINT')
    } catch {
      // The process has already exited.
    }
  }
}

const serverSettings = {
  listen_addresses: '127.0.0.1',
  // The path of a socket in the data directory may exceed the limit of the system.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
}

const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Each of several test workers runs several servers, each with its own pools.
  max_connections: '400',
}

type Stopping = { pgCtl: string; clusterDir: string; account: EngineAccount | undefined }

/**
 * Fast shutdown, which cuts connections and writes data; after 30 s an immediate one, from which the next start
 * recovers.
 */
async function stopEngine({ pgCtl, clusterDir, account }: Stopping): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const settings = ['stop', '--pgdata', clusterDir, '--mode', mode, '--timeout', '30', '--silent']
    // It also fails when nothing is running; only the check below counts.
    await run(pgCtl, settings, { ...account, cwd: '/', env: {} }).catch(() => undefined)
    const lock = await readPostmasterLock(clusterDir)
    if (lock === undefined || !(await isPostgres(lock.pid))) return
  }
}

type Preparation = { client: pg.Client; serverPassword: string; mayCreateDatabases: boolean }

/** Creates the server's role and database once. The role may migrate and create roles, but is no superuser. */
async function prepareServerDatabase({ client, serverPassword, mayCreateDatabases }: Preparation): Promise<void> {
  const role = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (role.rowCount === 0) {
    await client.query(
      `create role ${name} login createrole nosuperuser password ${client.escapeLiteral(serverPassword)}`,
    )
  }
  if (mayCreateDatabases) await client.query(`alter role ${name} createdb`)
  const database = await client.query('select 1 from pg_database where datname = $1', [name])
  if (database.rowCount === 0) await client.query(`create database ${name} owner ${name}`)
}

export function serverDatabaseUrl(port: number, serverPassword: string): string {
  return `postgres://${name}:${serverPassword}@127.0.0.1:${port}/${name}`
}
