import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readCredentials } from './cluster-home.ts'
import { isPostgres, readPostmasterLock } from './postmaster-lock.ts'
import { type EmbeddedDatabase, startEmbedded } from './start-embedded.ts'

const isRoot = process.getuid?.() === 0

let folder: string
let dataDir: string
let messages: string[]
const started: EmbeddedDatabase[] = []
const children: ChildProcess[] = []

// An interrupted run ends its workers with a signal; this stops their engines too.
process.once('SIGTERM', () => process.exit(1))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-embedded-'))
  await chmod(folder, 0o755)
  dataDir = join(folder, 'data')
  await mkdir(dataDir)
  messages = []
})

afterEach(async () => {
  for (const child of children.splice(0)) await exitOf(child)
  for (const database of started.splice(0)) await database.stop()
  const credentials = await readCredentials(join(dataDir, 'postgres'))
  // A process that exits does not wait for its PostgreSQL, which still writes files.
  const lock = await readPostmasterLock(credentials?.clusterDir ?? '')
  if (lock) await vi.waitUntil(async () => !(await isPostgres(lock.pid)), { timeout: 60_000 })
  if (credentials !== undefined && !credentials.clusterDir.startsWith(folder))
    await rm(dirname(credentials.clusterDir), { recursive: true })
  await rm(folder, { recursive: true })
})

async function start(): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: (sentence) => messages.push(sentence) })
  started.push(database)
  return database
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

async function postmasterPid(): Promise<number> {
  const credentials = await readCredentials(join(dataDir, 'postgres'))
  const lock = await readPostmasterLock(credentials?.clusterDir ?? '')
  if (lock === undefined) throw new Error('no PostgreSQL is running')
  return lock.pid
}

/** Starts a server in another process, and waits until its database responds. */
async function startInOtherProcess(): Promise<{ process: ChildProcess; databaseUrl: string }> {
  const module = new URL('start-embedded.ts', import.meta.url).href
  const program = `
    import { startEmbedded } from ${JSON.stringify(module)}
    process.on('SIGTERM', () => process.exit(1))
    const { databaseUrl } = await startEmbedded({ dataDir: process.argv[1], log: () => {} })
    console.log(databaseUrl)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  for await (const line of createInterface(child.stdout)) return { process: child, databaseUrl: line }
  throw new Error('the other process did not start')
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

test('data survives stop and start, in Unicode, written durably, by a role that is no superuser', async () => {
  const first = await start()
  await query(first.databaseUrl, `create table kept as select 'Żółć' as word`)
  await first.stop()
  const second = await start()
  expect(await query(second.databaseUrl, 'select word, upper(word) from kept')).toEqual(['Żółć', 'ŻÓŁĆ'])
  expect(
    await query(second.databaseUrl, `select current_setting('server_encoding'), current_setting('fsync')`),
  ).toEqual(['UTF8', 'on'])
  const rights = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user'
  expect(await query(second.databaseUrl, rights)).toEqual([false, true, false])
  await query(second.databaseUrl, 'create extension pg_trgm')
  expect(await query(second.databaseUrl, `select similarity('Łódź', 'łódź')`)).toEqual([1])
})

test('the passwords are in the data directory, readable by its owner only', async () => {
  await start()
  expect((await stat(join(dataDir, 'postgres/credentials.json'))).mode & 0o777).toBe(0o600)
})

test('stop leaves no process', async () => {
  const database = await start()
  const pid = await postmasterPid()
  await database.stop()
  // PostgreSQL removes its lock file shortly before its process ends.
  await expect.poll(() => isPostgres(pid)).toBe(false)
})

test('a server that exits without stopping PostgreSQL leaves no PostgreSQL behind', async () => {
  const other = await startInOtherProcess()
  const pid = await postmasterPid()
  await exitOf(other.process)
  await expect.poll(() => isPostgres(pid)).toBe(false)
})

test('after kill -9 of the server, the next start adopts its orphaned PostgreSQL', async () => {
  const killed = await startInOtherProcess()
  await query(killed.databaseUrl, 'create table kept as select 7 as number')
  const orphan = await postmasterPid()
  killed.process.kill('SIGKILL')
  const database = await start()
  expect(await postmasterPid()).toBe(orphan)
  expect(await query(database.databaseUrl, 'select number from kept')).toEqual([7])
})

test('after kill -9 of the server and PostgreSQL, the next start recovers committed data', async () => {
  const killed = await startInOtherProcess()
  await query(killed.databaseUrl, 'create table kept as select generate_series(1, 1000) as number')
  const postmaster = await postmasterPid()
  killed.process.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  const database = await start()
  expect(await query(database.databaseUrl, 'select count(*)::int from kept')).toEqual([1000])
})

test('PostgreSQL that dies under a running server is restarted at the same address', async () => {
  const database = await start()
  await query(database.databaseUrl, 'create table kept as select 7 as number')
  process.kill(await postmasterPid(), 'SIGKILL')
  const storedNumber = () => query(database.databaseUrl, 'select number from kept')
  await expect.poll(() => storedNumber().catch(() => undefined)).toEqual([7])
  await expect.poll(() => messages).toContain('The embedded PostgreSQL stopped and was restarted.')
})

test('a lock file with the process id of another program does not prevent the start', async () => {
  const database = await start()
  const pid = await postmasterPid()
  const { clusterDir } = (await readCredentials(join(dataDir, 'postgres'))) ?? { clusterDir: '' }
  const lockFile = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')
  await database.stop()
  await writeFile(join(clusterDir, 'postmaster.pid'), lockFile.replace(String(pid), String(process.pid)))
  const again = await start()
  expect(await query(again.databaseUrl, 'select 1')).toEqual([1])
})

test('a second server on the same data directory is refused with an error that names DATA_DIR', async () => {
  await startInOtherProcess()
  await expect(start()).rejects.toThrow(/^DATA_DIR: .* is in use by another running Portcullis/)
})

test.runIf(isRoot)(
  'as root under a folder closed to others, the files go to the system folder and the log says where',
  async () => {
    await chmod(folder, 0o700)
    const first = await start()
    expect(messages.join()).toMatch(/database's files are in \/var\/lib\/portcullis\/\w+\/cluster/)
    await query(first.databaseUrl, 'create table kept as select 7 as number')
    await first.stop()
    const second = await start()
    expect(await query(second.databaseUrl, 'select number from kept')).toEqual([7])
  },
)

test.runIf(isRoot)('as root, a new data directory does not use the database of a previous one', async () => {
  await chmod(folder, 0o700)
  const first = await start()
  await query(first.databaseUrl, 'create table kept as select 7 as number')
  await first.stop()
  await rm(join(dataDir, 'postgres'), { recursive: true })
  const second = await start()
  expect(messages.join()).toMatch(/it was moved to \/var\/lib\/portcullis/)
  expect(await query(second.databaseUrl, `select to_regclass('kept')`)).toEqual([null])
})

test.runIf(isRoot)('as root on the data of another user, PostgreSQL runs as that user', async () => {
  const daemon = 1
  const home = join(dataDir, 'postgres')
  await mkdir(home)
  await chown(home, daemon, daemon)
  await start()
  expect((await stat(join(home, 'cluster'))).uid).toBe(daemon)
  expect((await stat(join(home, 'postgres.log'))).uid).toBe(daemon)
})
