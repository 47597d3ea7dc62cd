import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { systemRole, webRole } from './database.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The number under which servers that start together queue for the migrations. */
const migrationLock = 7_361_905

/**
 * Brings the database to this version, as the role of the connection. Servers that start together take turns.
 * Answers the names of the migrations that were applied now.
 */
export async function migrate(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await makeRoles(client)
    return await applyMissing(client)
  } finally {
    await client.end()
  }
}

/** How many migrations this version knows; history rows carry it as their schema version. */
export async function schemaVersion() {
  return (await migrationNames()).length
}

async function migrationNames() {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

async function applyMissing(client: pg.Client) {
  await client.query(
    'create table if not exists migration (migration_name text primary key, migration_hash text not null, migration_applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select migration_name as name, migration_hash as hash from migration',
  )
  const known = new Map(rows.map(({ name, hash }) => [name, hash]))
  const applied: string[] = []
  for (const name of await migrationNames()) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const hash = createHash('sha256').update(text).digest('hex')
    const knownHash = known.get(name)
    if (knownHash === hash) continue
    if (knownHash !== undefined) {
      throw new Error(`The migration ${name} was changed after it had been applied to this database.`)
    }
    await apply({ client, name, text, hash })
    applied.push(name)
  }
  return applied
}

async function apply({ client, name, text, hash }: { client: pg.Client; name: string; text: string; hash: string }) {
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into migration (migration_name, migration_hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`The migration ${name} could not be applied.`, { cause })
  }
}

/** Roles belong to the whole engine, so another database of it may have made them already. */
async function makeRoles(client: pg.Client) {
  for (const role of [webRole, systemRole]) {
    await client.query(`create role ${role} nologin`).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error
    })
    await client.query(`grant ${role} to current_user`)
  }
}

/** duplicate_object, or unique_violation where two servers made the role at the same moment. */
function isDuplicate(error: unknown) {
  return error instanceof pg.DatabaseError && (error.code === '42710' || error.code === '23505')
}
