import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { ConfigError } from '../../config-error.ts'
import { canReach, type EngineAccount, engineAccount } from './engine-account.ts'

const credentialsSchema = z.object({ adminPassword: z.string(), serverPassword: z.string(), clusterDir: z.string() })

/** Where a server that runs as root stores files that PostgreSQL's user must reach. */
export const systemFolder = '/var/lib/portcullis'

export type ClusterHome = {
  /** `DATA_DIR/postgres`: the passwords and the engine's log, private to the server's user. */
  home: string
  credentials: Credentials
  account: EngineAccount | undefined
}

type Opening = { dataDir: string; log: (sentence: string) => void }

/** Finds the engine's files for this data directory; the first start decides their place. */
export async function openClusterHome({ dataDir, log }: Opening): Promise<ClusterHome> {
  const home = join(await realpath(dataDir), 'postgres')
  await makeTraversable(home)
  const stored = await readCredentials(home)
  const account = await engineAccount([stored?.clusterDir ?? join(home, 'cluster'), home])
  const credentials = stored ?? (await makeCredentials(home, await chooseClusterDir({ home, account, log })))
  const { clusterDir } = credentials
  const folder = join(clusterDir, '..')
  if (!clusterDir.startsWith(home)) {
    await makeTraversable(systemFolder)
    await makeTraversable(folder)
    log(
      `The database's files are in ${clusterDir}: PostgreSQL does not run as root, and its user cannot reach ${home}.`,
    )
  }
  if (!(await canReach(folder, account))) {
    throw new ConfigError(
      `DATA_DIR: the database in ${clusterDir} cannot be reached by the user that PostgreSQL runs as: allow access (chmod o+x) to the folders above it, or set DATABASE_URL.`,
    )
  }
  return { home, credentials, account }
}

type Choice = { home: string; account: EngineAccount | undefined; log: (sentence: string) => void }

async function chooseClusterDir({ home, account, log }: Choice): Promise<string> {
  const inside = join(home, 'cluster')
  if (existsSync(inside)) {
    throw new ConfigError(
      `DATA_DIR: ${inside} holds a database, but ${home}/credentials.json with its password is missing: restore that file, or move ${home} away to start with an empty database.`,
    )
  }
  if (await canReach(home, account)) return inside
  const outside = join(systemFolder, createHash('sha256').update(home).digest('hex').slice(0, 16), 'cluster')
  if (existsSync(outside)) {
    const aside = `${outside}-left-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    await rename(outside, aside)
    log(`DATA_DIR is new, but the database of an earlier one at this path exists: it was moved to ${aside}.`)
  }
  return outside
}

/** Regardless of the umask, other users may pass through the folder but not list it. */
async function makeTraversable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await chmod(directory, 0o711)
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: ${directory} cannot be created or opened for PostgreSQL (${reason(error)}): set DATA_DIR to a folder you can write to, or set DATABASE_URL.`,
      {
        cause: error,
      },
    )
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Stored only in the data directory: the engine's two passwords, and the place of its files. */
type Credentials = z.infer<typeof credentialsSchema>

export async function readCredentials(home: string): Promise<Credentials | undefined> {
  const file = fileIn(home)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`DATA_DIR: ${file} cannot be read (${error.code}): start as the user who owns it.`, {
      cause: error,
    })
  })
  if (text === undefined) return undefined
  const parsed = credentialsSchema.safeParse(parseJson(text))
  if (!parsed.success) throw new ConfigError(`DATA_DIR: ${file} is damaged: restore it from a backup.`)
  return parsed.data
}

/** Written under another name, then renamed: a crash leaves no partial file. */
async function makeCredentials(home: string, clusterDir: string): Promise<Credentials> {
  const credentials = { adminPassword: password(), serverPassword: password(), clusterDir }
  const unfinished = `${fileIn(home)}.new`
  await writeFile(unfinished, JSON.stringify(credentials), { mode: 0o600, flush: true })
  await rename(unfinished, fileIn(home))
  return credentials
}

function fileIn(home: string): string {
  return join(home, 'credentials.json')
}

function password(): string {
  return randomBytes(24).toString('base64url')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
