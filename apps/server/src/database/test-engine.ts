import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from './embedded/start-embedded.ts'
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
    /** The number of cases for a property test with a long form. */
    randomCases: number
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
  const stop = async () => {
    await engine.stop()
    for (const folder of [dataDir, testFolder]) await rm(folder, { recursive: true })
  }
  try {
    const client = new pg.Client(engine.databaseUrl)
    await client.connect()
    await client.query(`create database ${templateDatabase}`)
    await client.end()
    await migrate(databaseIn(engine.databaseUrl, templateDatabase))
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('testEngineUrl', engine.databaseUrl)
  project.provide('testAdminUrl', engine.adminUrl)
  project.provide('testFolder', testFolder)
  return stop
}

export function databaseIn(engineUrl: string, name: string): string {
  const url = new URL(engineUrl)
  url.pathname = name
  return url.href
}
