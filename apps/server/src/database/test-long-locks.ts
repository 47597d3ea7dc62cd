import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { migrate, migrationsName } from './migrate.ts'
import type { Migration } from './read-migrations.ts'

type FindLongLocksOptions = {
  databaseUrl: string
  applied: readonly Migration[]
  newer: readonly Migration[]
  maxMs: number
}
type HeldLock = { table: string; mode: string; sinceMs: number; untilMs: number }

/**
 * Applies newer migrations, one by one, and returns the locks that one of them held for longer than `maxMs` on an
 * existing table, so that other transactions could not write to it meanwhile, or not even read it.
 */
export async function findLongLocks({ databaseUrl, applied, newer, maxMs }: FindLongLocksOptions) {
  const found: { migration: string; table: string; mode: string }[] = []
  for (const [index, { name }] of newer.entries()) {
    const watch = await watchLocks(databaseUrl)
    await migrate(databaseUrl, { migrations: [...applied, ...newer.slice(0, index + 1)] })
    const long = (await watch.end()).filter(({ sinceMs, untilMs }) => untilMs - sinceMs > maxMs)
    found.push(...long.map(({ table, mode }) => ({ migration: name, table, mode })))
  }
  return found
}

const sampleMs = 20

/**
 * The locks of the migrating connection. Tables that its own transaction created are not visible here, so not counted.
 */
const locks = `
  select relation::regclass::text as table, mode, (extract(epoch from clock_timestamp()) * 1000)::float8 as at
    from pg_locks join pg_class on pg_class.oid = relation join pg_stat_activity using (pid)
   where application_name = '${migrationsName}' and datname = current_database() and granted
     and relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

async function watchLocks(databaseUrl: string) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const held = new Map<string, HeldLock>()
  let isOver = false
  const sample = async () => {
    const { rows } = await client.query<{ table: string; mode: string; at: number }>(locks)
    for (const { table, mode, at } of rows) {
      const key = `${table} ${mode}`
      held.set(key, { table, mode, sinceMs: held.get(key)?.sinceMs ?? at, untilMs: at })
    }
  }
  const watching = (async () => {
    while (!isOver) {
      await sample()
      await delay(sampleMs)
    }
  })()
  return {
    async end() {
      isOver = true
      await watching
      await client.end()
      return [...held.values()]
    },
  }
}
