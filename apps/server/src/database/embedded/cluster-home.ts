import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { ConfigError } from '../../config-error.ts'
import { canReach, type EngineAccount, engineAccount } from './engine-account.ts'

const credentialsSchema = z.object({ adminPassword: z.string(), serverPassword: z.string(), clusterDir: z.string() })

/** Where a root process keeps what another user must reach. */
export const systemFolder = '/var/lib/portcullis'

export type ClusterHome = {
  /** `DATA_DIR/postgres`: the passwords and the engine's log; ours alone. */
  home: string
  credentials: Credentials
  account: EngineAccount | undefined
}

type Opening = { dataDir: string; log: (sentence: string) => void }

/** Finds the engine's files for this data directory, or decides where they will lie, once and for all. */
export async function openClusterHome({ dataDir, log }: Opening): Promise<ClusterHome> {
  const home = join(await realpath(dataDir), 'postgres')
  await makeTraversable(home)
  const known = await readCredentials(home)
  const account = await engineAccount([known?.clusterDir ?? join(home, 'cluster'), home])
  const credentials = known ?? (await makeCredentials(home, await chooseClusterDir({ home, account, log })))
  const { clusterDir } = credentials
  const folder = join(clusterDir, '..')
  if (!clusterDir.startsWith(home)) {
    await makeTraversable(systemFolder)
    await makeTraversable(folder)
    log(`The database's files are in ${clusterDir}: PostgreSQL does not run as root, and its user can't reach ${home}.`)
  }
  if (!(await canReach(folder, account))) {
    throw new ConfigError(
      `DATA_DIR: the database in ${clusterDir} is out of reach of the user that PostgreSQL runs as: allow passage (chmod o+x) on the folders above it, or set DATABASE_URL.`,
    )
  }
  return { home, credentials, account }
}

type Choice = { home: string; account: EngineAccount | undefined; log: (sentence: string) => void }

async function chooseClusterDir({ home, account, log }: Choice): Promise<string> {
  const inside = join(home, 'cluster')
  if (existsSync(inside)) {
    throw new ConfigError(
      `DATA_DIR: ${inside} holds a database, but ${home}/credentials.json with its password is missing: restore that file, or move ${home} away to begin afresh.`,
    )
  }
  if (await canReach(home, account)) return inside
  const outside = join(systemFolder, createHash('sha256').update(home).digest('hex').slice(0, 16), 'cluster')
  if (existsSync(outside)) {
    const aside = `${outside}-left-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    await rename(outside, aside)
    log(`DATA_DIR is new, but a database of an earlier one at this path was found: it is kept in ${aside}.`)
  }
  return outside
}

/** Whatever the umask: others may pass through, and see nothing. */
async function makeTraversable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await chmod(directory, 0o711)
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: ${directory} can't be made or opened to PostgreSQL (${reason(error)}): set DATA_DIR to a folder of yours, or set DATABASE_URL.`,
      {
        cause: error,
      },
    )
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What only the data directory knows: the engine's two passwords, and where its files lie. */
type Credentials = z.infer<typeof credentialsSchema>

export async function readCredentials(home: string): Promise<Credentials | undefined> {
  const file = fileIn(home)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`DATA_DIR: ${file} cannot be read (${error.code}): start as the user who made it.`, {
      cause: error,
    })
  })
  if (text === undefined) return undefined
  const parsed = credentialsSchema.safeParse(parseJson(text))
  if (!parsed.success) throw new ConfigError(`DATA_DIR: ${file} is damaged: restore it from a backup.`)
  return parsed.data
}

/** Written whole and only then given its name: a crash leaves either none or a complete file. */
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
