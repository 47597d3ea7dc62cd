import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config-error.ts'
import type { Migration } from './read-migrations.ts'

/** How long a migration waits for a lock, during which other statements queue behind it, and how often it tries again. */
export type Patience = { lockTimeoutMs: number; pauseMs: number; tries: number }

export const patience: Patience = { lockTimeoutMs: 1_000, pauseMs: 2_000, tries: 60 }

type Applying = { client: pg.Client; migration: Migration; patience: Patience; report: (sentence: string) => void }

/** Applies a migration and records that it was. */
export async function applyMigration(applying: Applying) {
  const { client, migration } = applying
  try {
    if (migration.isTransaction) await retryLocks(applying, () => runInTransaction(applying))
    else await runByStatement(client, migration)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new Error(`The migration ${migration.name} could not be applied.`, { cause })
  }
}

async function retryLocks({ migration, patience: { tries, pauseMs }, report }: Applying, run: () => Promise<void>) {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await run()
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      if (left <= 0) {
        throw new ConfigError(
          `The migration ${migration.name} found its tables locked ${tries} times. Nothing of it was applied. End the transactions that hold locks (pg_stat_activity lists them), and start again.`,
          { cause },
        )
      }
      report(`The migration ${migration.name} waits for locked tables and tries again.`)
      await delay(pauseMs)
    }
  }
}

async function runInTransaction({ client, migration, patience: { lockTimeoutMs } }: Applying) {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.text)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Statements outside a transaction may run again after an interruption, so each must bear that: `drop index concurrently if
 * exists`, then `create index concurrently`. They wait for locks as long as it takes, without making others wait.
 */
async function runByStatement(client: pg.Client, migration: Migration) {
  const statements = migration.text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  const unfit = statements.find((statement) => !/\bconcurrently\b|^(vacuum|analyze)\b/i.test(statement))
  if (unfit !== undefined) throw new Error(`This statement belongs into a transaction: ${unfit}`)
  for (const statement of statements) await client.query(statement)
  await record(client, migration)
}

async function record(client: pg.Client, { name, hash, minimumVersion }: Migration) {
  await client.query(
    'insert into migration (migration_name, migration_hash, migration_minimum_version) values ($1, $2, $3)',
    [name, hash, minimumVersion],
  )
}

/** lock_not_available */
function isLockTimeout(error: unknown) {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}
