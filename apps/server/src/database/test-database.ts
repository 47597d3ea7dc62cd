import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Logins, loginsFrom } from './logins.ts'
import { databaseIn, templateDatabase } from './test-engine.ts'

export type TestDatabase = { databaseUrl: string; logins: Logins; drop: () => Promise<void> }

/** A migrated, empty database for one test file (or one test), in the engine that all tests share. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(templateDatabase)
}

/** A database without a schema, for tests of migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template1')
}

async function createFrom(template: string): Promise<TestDatabase> {
  const engineUrl = inject('testEngineUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(engineUrl, `create database ${name} template ${template} strategy file_copy`)
  const databaseUrl = databaseIn(engineUrl, name)
  return {
    databaseUrl,
    logins: loginsFrom({ databaseUrl, secretKey: Buffer.from(inject('testSecretKey'), 'hex') }),
    drop: () => dropTestDatabase(name),
  }
}

/** Also ends open connections. */
async function dropTestDatabase(name: string): Promise<void> {
  await run(inject('testAdminUrl'), `drop database ${name} with (force)`)
}

async function run(engineUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(engineUrl)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
