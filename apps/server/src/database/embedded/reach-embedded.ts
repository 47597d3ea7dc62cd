import { join } from 'node:path'
import { ConfigError } from '../../config-error.ts'
import { readCredentials } from './cluster-home.ts'
import { isPostgres, readPostmasterLock } from './postmaster-lock.ts'
import { serverDatabaseUrl, startEmbedded } from './start-embedded.ts'

type Reached = { databaseUrl: string; stop: () => Promise<void> }

/**
 * The embedded PostgreSQL of an installation, for command-line tools: the running one, or one started until `stop` is
 * called. Throws a ConfigError if there is no installation.
 */
export async function connectEmbedded(options: { dataDir: string; log: (sentence: string) => void }): Promise<Reached> {
  const credentials = await readCredentials(join(options.dataDir, 'postgres'))
  if (credentials === undefined) {
    throw new ConfigError(
      `DATA_DIR: there is no database in ${options.dataDir}: set DATA_DIR to the folder of the installation, or run npm start first.`,
    )
  }
  const lock = await readPostmasterLock(credentials.clusterDir)
  if (lock === undefined || !(await isPostgres(lock.pid))) return startEmbedded(options)
  return { databaseUrl: serverDatabaseUrl(lock.port, credentials.serverPassword), stop: async () => {} }
}
