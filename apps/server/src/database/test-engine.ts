import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from './embedded/start-embedded.ts'
import { loginsFrom } from './logins.ts'
import { migrate } from './migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testEngineUrl: string
    /**
     * Only to drop databases: PostgreSQL's own workers, such as autovacuum, may use one, and only a superuser may end
     * them.
     */
    testAdminUrl: string
    /** For the data of servers that end with their worker; removed after all tests. */
    testFolder: string
    /** The key of all servers in tests, also in `secret.key` of the test folder; the engine has its logins. */
    testSecretKey: string
    /** The number of cases for a property test with a long form. */
    randomCases: number
    /** Node's compile cache, for servers and commands in processes of their own. */
    compileCache: string | undefined
  }
}

export const templateDatabase = 'portcullis_template'

/** Global setup of the server's tests: one engine, with one migrated database from which each test's own is copied. */
export default async function startTestEngine(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-tests-'))
  // Created for its owner only, but PostgreSQL may run as another user.
  await chmod(dataDir, 0o711)
  const engine = await startEmbedded({ dataDir, log: () => undefined, purpose: 'tests' })
  const testFolder = await mkdtemp(join(tmpdir(), 'portcullis-servers-'))
  const secretKey = randomBytes(32)
  const stop = async () => {
    await engine.stop()
    for (const folder of [dataDir, testFolder]) await rm(folder, { recursive: true })
  }
  try {
    const client = new pg.Client(engine.databaseUrl)
    await client.connect()
    await client.query(`create database ${templateDatabase}`)
    await client.end()
    const databaseUrl = databaseIn(engine.databaseUrl, templateDatabase)
    await writeFile(join(testFolder, 'secret.key'), secretKey.toString('hex'), { mode: 0o600 })
    await migrate(databaseUrl, { logins: loginsFrom({ databaseUrl, secretKey }) })
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('testEngineUrl', engine.databaseUrl)
  project.provide('testAdminUrl', engine.adminUrl)
  project.provide('testFolder', testFolder)
  project.provide('testSecretKey', secretKey.toString('hex'))
  return stop
}

export function databaseIn(engineUrl: string, name: string): string {
  const url = new URL(engineUrl)
  url.pathname = name
  return url.href
}
