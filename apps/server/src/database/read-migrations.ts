import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Migration = {
  /** The file name, such as `0010-site-floors.sql`. */
  name: string
  text: string
  hash: string
  /** Whether its statements run in one transaction, or separately, as `create index concurrently` must. */
  isTransaction: boolean
  /** Once applied, servers with an older schema version refuse to start. */
  minimumVersion: number | null
}

const ownFolder = join(import.meta.dirname, 'migrations')

/** The migrations of a folder in the order of their numbers. Decision 0082 describes the headers of a file. */
export async function readMigrations(folder = ownFolder): Promise<Migration[]> {
  const names = await migrationNames(folder)
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(folder, name), 'utf8'))))
}

/** The newest migration that this server knows; history rows carry it. */
export async function schemaVersion() {
  return Math.max(...(await migrationNames(ownFolder)).map(versionOf))
}

export function versionOf(name: string) {
  return Number(name.slice(0, 4))
}

async function migrationNames(folder: string) {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

function parseMigration(name: string, text: string): Migration {
  const [header = ''] = /^(--.*\n)*/.exec(text) ?? []
  const minimum = /^-- minimum version: (\d+)$/m.exec(header)?.[1]
  const minimumVersion = minimum === undefined ? null : Number(minimum)
  if (minimumVersion !== null && minimumVersion > versionOf(name)) {
    throw new Error(`${name} requires minimum version ${minimumVersion}, which is newer than the migration itself.`)
  }
  return {
    name,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    isTransaction: !/^-- no transaction$/m.test(header),
    minimumVersion,
  }
}
