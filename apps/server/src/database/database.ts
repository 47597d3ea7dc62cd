import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { askAll, type Cells, type Question } from './ask-all.ts'
import { isKept, nameFor } from './kept-statements.ts'

/** The role that answers people: row level security lets it see only the accounts set for its transaction. */
export const webRole = 'portcullis_web'
/** The role of the units' gateway, the jobs and the sign-in. */
export const systemRole = 'portcullis_system'

/**
 * What a unit of work may do inside its transaction; rows are parsed where they enter. Statements run in the order in which
 * they were given, and none waits in this process for the answer of the one before: what needs nothing of each other's
 * answers is given at once and takes one way to the database.
 */
export type Transaction = {
  rows: <S extends z.ZodType>(schema: S, query: Sql) => Promise<z.output<S>[]>
  first: <S extends z.ZodType>(schema: S, query: Sql) => Promise<z.output<S> | undefined>
  /** Runs a statement and answers how many rows it touched. */
  run: (query: Sql) => Promise<number>
  /** Gives a statement whose answer nobody waits for; where it fails, the transaction fails with it. */
  send: (query: Sql) => void
}

/** The accounts that questions are about, and a condition without which their answers must not be used. */
type Sight = { accounts: readonly number[]; holds: Sql }

/** The server's connections to PostgreSQL: one pool a role for transactions, and one for questions. */
export class Database {
  readonly #web: pg.Pool
  readonly #system: pg.Pool
  readonly #questions: pg.Pool

  constructor({ databaseUrl, connections }: { databaseUrl: string; connections: number }) {
    const fewer = Math.max(4, Math.floor(connections / 2))
    this.#web = rolePool({ databaseUrl, role: webRole, max: connections, pipeline: true })
    this.#system = rolePool({ databaseUrl, role: systemRole, max: fewer, pipeline: true })
    // pg does not pipeline what is not a statement of its own.
    this.#questions = rolePool({ databaseUrl, role: webRole, max: fewer, pipeline: false })
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
    const client = await this.#questions.connect()
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
    await Promise.all([this.#web, this.#system, this.#questions].map((pool) => pool.end()))
  }
}

type Work<T> = { pool: pg.Pool; work: (tx: Transaction) => Promise<T>; before: string }

async function inTransaction<T>({ pool, work, before }: Work<T>) {
  const client = await pool.connect()
  const open = transactionOn(client)
  let broken: Error | undefined
  try {
    open.send(`begin; ${before}`)
    const result = await work(open.transaction)
    await open.end()
    return result
  } catch (error) {
    const cause = await open.firstFailure()
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw cause ?? error
  } finally {
    client.release(broken)
  }
}

/** A transaction on a connection, and what has been sent there without being waited for. */
function transactionOn(client: pg.PoolClient) {
  const sent: Promise<unknown>[] = []
  let isOver = false

  const query = async (statement: Sql) => {
    // Work that goes on beside a failure must not go on outside the transaction.
    if (isOver) throw new Error('The transaction has ended.')
    return client.query<Record<string, unknown>>(statementOf(statement))
  }
  const keep = (answer: Promise<unknown>) => {
    answer.catch(() => {})
    sent.push(answer)
  }
  const transaction: Transaction = {
    async rows(schema, statement) {
      const { rows } = await query(statement)
      return rows.map((row) => schema.parse(row))
    },
    async first(schema, statement) {
      const { rows } = await query(statement)
      return rows[0] === undefined ? undefined : schema.parse(rows[0])
    },
    async run(statement) {
      return (await query(statement)).rowCount ?? 0
    },
    send(statement) {
      keep(query(statement))
    },
  }
  return {
    transaction,
    send: (text: string) => keep(client.query(text)),
    /** Commits, with everything that is still under way. */
    async end() {
      isOver = true
      const commit = client.query('commit')
      const [{ command }] = await Promise.all([commit, ...sent])
      if (command !== 'COMMIT') throw new Error('A statement had failed, so nothing was committed.')
    },
    /** What failed unnoticed makes everything after it fail: it is the reason that is told. */
    async firstFailure() {
      isOver = true
      const failed = (await Promise.allSettled(sent)).find((result) => result.status === 'rejected')
      const reason: unknown = failed?.reason
      return reason
    },
  }
}

function statementOf(statement: Sql) {
  const { text, values } = statement
  const name = isKept(statement) ? nameFor(text) : ''
  return name === '' ? { text, values } : { name, text, values }
}

type Pool = { databaseUrl: string; role: string; max: number; pipeline: boolean }

function rolePool({ databaseUrl, role, max, pipeline }: Pool) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    options: `-c role=${role} -c timezone=UTC`,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    pipeline,
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
