import { join } from 'node:path'
import { ConfigError } from '../../config-error.ts'
import { readCredentials } from './cluster-home.ts'
import { isPostgres, readPostmasterLock } from './postmaster-lock.ts'
import { serverDatabaseUrl, startEmbedded } from './start-embedded.ts'

type Reached = { databaseUrl: string; stop: () => Promise<void> }

/**
 * The embedded PostgreSQL of an installation, for a command beside the server: the one that is running, or else started for
 * as long as the command needs it. Throws a ConfigError where there is no installation.
 */
export async function reachEmbedded(asked: { dataDir: string; log: (sentence: string) => void }): Promise<Reached> {
  const known = await readCredentials(join(asked.dataDir, 'postgres'))
  if (known === undefined) {
    throw new ConfigError(
      `DATA_DIR: there is no database in ${asked.dataDir}: set DATA_DIR to the folder of the installation, or run npm start first.`,
    )
  }
  const lock = await readPostmasterLock(known.clusterDir)
  if (lock === undefined || !(await isPostgres(lock.pid))) return startEmbedded(asked)
  return { databaseUrl: serverDatabaseUrl(lock.port, known.serverPassword), stop: async () => {} }
}
