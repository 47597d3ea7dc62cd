import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { askAll, type Cells, type Question } from './ask-all.ts'

/** The role that answers people: row level security lets it see only the accounts set for its transaction. */
export const webRole = 'portcullis_web'
/** The role of the units' gateway, the jobs and the sign-in. */
export const systemRole = 'portcullis_system'

/** What a unit of work may do inside its transaction; rows are parsed where they enter. */
export type Transaction = {
  rows: <S extends z.ZodType>(schema: S, query: Sql) => Promise<z.output<S>[]>
  first: <S extends z.ZodType>(schema: S, query: Sql) => Promise<z.output<S> | undefined>
  /** Runs a statement and answers how many rows it touched. */
  run: (query: Sql) => Promise<number>
}

/** The accounts that questions are about, and a condition without which their answers must not be used. */
type Sight = { accounts: readonly number[]; holds: Sql }

/** The server's connections to PostgreSQL, one pool a role. */
export class Database {
  readonly #web: pg.Pool
  readonly #system: pg.Pool

  constructor({ databaseUrl, connections }: { databaseUrl: string; connections: number }) {
    this.#web = rolePool({ databaseUrl, role: webRole, max: connections })
    this.#system = rolePool({ databaseUrl, role: systemRole, max: Math.max(4, Math.floor(connections / 2)) })
  }

  /** Works on what belongs to these accounts; nothing else can be seen or touched. */
  inAccounts<T>(accounts: readonly number[], work: (tx: Transaction) => Promise<T>) {
    const visible = `{${accounts.join(',')}}`
    return inTransaction({ pool: this.#web, work, before: `set local app.accounts = '${visible}'` })
  }

  /**
   * Asks for what belongs to these accounts, with one way there and back: for questions that need nothing of each other's
   * answers. Undefined where the condition does not hold.
   */
  async ask({ accounts, holds }: Sight, questions: readonly Question[]): Promise<Cells[][] | undefined> {
    const sight = sql`select set_config('app.accounts', ${`{${accounts.join(',')}}`}, true), ${holds}`
    const client = await this.#web.connect()
    try {
      const [[[, isHolding] = []] = [], ...answers] = await askAll(client, [
        { query: sight, plan: 'kept' },
        ...questions,
      ])
      return isHolding === 't' ? answers : undefined
    } finally {
      client.release()
    }
  }

  /** Works across accounts: for the gateway, jobs and the sign-in only. */
  asSystem<T>(work: (tx: Transaction) => Promise<T>) {
    return inTransaction({ pool: this.#system, work, before: '' })
  }

  async close() {
    await Promise.all([this.#web.end(), this.#system.end()])
  }
}

type Work<T> = { pool: pg.Pool; work: (tx: Transaction) => Promise<T>; before: string }

async function inTransaction<T>({ pool, work, before }: Work<T>) {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(`begin; ${before}`)
    const result = await work(transactionOf(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.release(broken)
  }
}

function transactionOf(client: pg.PoolClient): Transaction {
  const query = async ({ text, values }: Sql) => client.query<Record<string, unknown>>({ text, values })
  return {
    async rows(schema, sql) {
      const { rows } = await query(sql)
      return rows.map((row) => schema.parse(row))
    },
    async first(schema, sql) {
      const { rows } = await query(sql)
      return rows[0] === undefined ? undefined : schema.parse(rows[0])
    },
    async run(sql) {
      return (await query(sql)).rowCount ?? 0
    },
  }
}

function rolePool({ databaseUrl, role, max }: { databaseUrl: string; role: string; max: number }) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    options: `-c role=${role} -c timezone=UTC`,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    types: { getTypeParser },
  })
  // A connection that the database drops is replaced by the next query; whoever used it hears of it there.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Whole numbers beyond 32 bits stay below 2^53 here (counters), and moments leave the database as ISO strings. */
function getTypeParser(oid: number): unknown {
  if (oid === pg.types.builtins.INT8) return Number
  if (oid === pg.types.builtins.TIMESTAMPTZ) return (text: string) => new Date(text).toISOString()
  return pg.types.getTypeParser(oid, 'text')
}
