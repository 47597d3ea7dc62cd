import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../../config-error.ts'
import type { EngineAccount } from './engine-account.ts'

const run = promisify(execFile)

export const adminRole = 'postgres'

type Making = {
  initdb: string
  clusterDir: string
  adminPassword: string
  account: EngineAccount | undefined
  /** Whether it survives a power cut. */
  isDurable: boolean
}

/**
 * Creates an empty cluster in a temporary folder and moves it into place when complete: a crash leaves no partial
 * cluster.
 */
export async function makeCluster({ initdb, clusterDir, adminPassword, account, isDurable }: Making): Promise<void> {
  const workshop = join(clusterDir, '../making')
  const unfinished = join(workshop, 'cluster')
  const passwordFile = join(workshop, 'password')
  await rm(workshop, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  await writeFile(passwordFile, adminPassword, { mode: 0o600 })
  await chmod(workshop, 0o711)
  await chmod(unfinished, 0o700)
  if (account !== undefined) {
    await chown(unfinished, account.uid, account.gid)
    await chown(passwordFile, account.uid, account.gid)
  }
  const settings = [
    ['--pgdata', unfinished],
    ['--username', adminRole],
    ['--pwfile', passwordFile],
    ['--auth', 'scram-sha-256'],
    ['--encoding', 'UTF8'],
    // The same collation on every system, from PostgreSQL's own tables.
    ['--locale-provider', 'builtin'],
    ['--builtin-locale', 'C.UTF-8'],
    ['--locale', 'C'],
    // Trigrams ask the C library which characters are letters: with plain C they would ignore accented letters.
    ['--lc-ctype', characterLocale()],
    isDurable ? [] : ['--no-sync'],
  ]
  await run(initdb, settings.flat(), { ...account, cwd: '/', env: {} }).catch((error: Error) => {
    const sentence = error.message.trim().split('\n').at(-1)
    throw new ConfigError(
      `DATA_DIR: a database cannot be created in ${clusterDir} (${sentence}): set DATA_DIR to another folder, or set DATABASE_URL.`,
      { cause: error },
    )
  })
  await rename(unfinished, clusterDir)
  await rm(workshop, { recursive: true, force: true })
}

function characterLocale(): string {
  if (process.platform === 'win32') return 'C'
  return process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
}
