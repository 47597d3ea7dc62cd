import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { ConfigError } from './config-error.ts'

const connectTimeoutMs = 10_000
const oldestPostgres = 15

export async function ensureDataDir(dataDir: string): Promise<void> {
  const trial = join(dataDir, `.trial-${randomUUID()}`)
  try {
    await makeFolder(dataDir)
    await writeFile(trial, '')
    await rm(trial)
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: ${dataDir} cannot be written to (${reason(error)}): make it writable, or set DATA_DIR to another.`,
      { cause: error },
    )
  }
}

/** Level by level: Node's recursive mkdir never ends on a file system that refuses new folders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/** Checked before anything starts; listening may still fail, with the same message. */
export async function assertPortFree({ port, host }: { port: number; host: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen({ port, host }, () => probe.close(() => resolve()))
  await promise.catch((error: unknown) => {
    throw new ConfigError(listenSentence(error, { port, host }), { cause: error })
  })
}

/** Why the server cannot listen, and the remedy. */
export function listenSentence(error: unknown, { port, host }: { port: number; host: string }): string {
  if (codeOf(error) === 'EADDRINUSE') {
    return `PORT: ${port} is in use by another program: stop that one, or set PORT to a free port.`
  }
  if (codeOf(error) === 'EACCES') return `PORT: ${port} is reserved for administrators: set PORT to 1024 or more.`
  return `HOST: ${host} is no address of this machine (${reason(error)}): set HOST to one that is, or leave it out.`
}

/** The message never contains the password of the URL. */
export async function assertDatabaseReachable(databaseUrl: string): Promise<void> {
  const { hostname, port, pathname } = new URL(databaseUrl)
  const place = `${hostname || 'localhost'}:${port || 5432}${pathname}`
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query({ text: 'show server_version_num', rowMode: 'array' })
    const version = Math.floor(Number(rows[0]?.[0]) / 10_000)
    if (version >= oldestPostgres) return
    throw new ConfigError(
      `DATABASE_URL: ${place} is PostgreSQL ${version}: set DATABASE_URL to PostgreSQL ${oldestPostgres} or newer, or leave it out for the embedded PostgreSQL.`,
    )
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `DATABASE_URL: ${place} cannot be used (${reason(error)}): start that PostgreSQL, correct DATABASE_URL, or leave it out for the embedded PostgreSQL.`,
      { cause: error },
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** An attempt at several addresses of one name fails with an empty message and the code of the first. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message || codeOf(error) || 'no answer'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
