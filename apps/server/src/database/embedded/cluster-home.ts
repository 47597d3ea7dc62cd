import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, realpath, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../config-error.ts'
import { type Credentials, makeCredentials, readCredentials } from './credentials.ts'
import { canReach, type EngineAccount, engineAccount } from './engine-account.ts'

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
