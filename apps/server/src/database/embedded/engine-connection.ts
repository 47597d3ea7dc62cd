import pg from 'pg'
import { adminRole } from './make-cluster.ts'

/** Arbitrary, but the same in every process that starts the engine. */
const launcherLock = 7_170_231

export type EngineConnection = { client: pg.Client; isOnlyLauncher: () => Promise<boolean> }

export type Refusal = { refused: 'not_yet' | 'unreachable' }

/**
 * Opens the administrator's connection. The launcher keeps it open: its end shows that the engine has ended, and its
 * lock shows other launchers that this one runs.
 */
export async function connectToEngine(port: number, password: string): Promise<EngineConnection | Refusal> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: adminRole,
    password,
    database: 'postgres',
    application_name: 'portcullis launcher',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => undefined)
    // 57P03: it is starting, recovering or shutting down.
    const isBusy = error instanceof pg.DatabaseError && error.code === '57P03'
    return { refused: isBusy ? 'not_yet' : 'unreachable' }
  }
  return {
    client,
    isOnlyLauncher: async () => {
      const { rowCount } = await client.query('select 1 where pg_try_advisory_lock($1)', [launcherLock])
      return rowCount === 1
    },
  }
}
