import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { askAll } from './ask-all.ts'
import { kept } from './kept-statements.ts'
import { type Answer, type Cells, type Given, sendBatch } from './send-batch.ts'

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
  /** Rows as PostgreSQL writes them, for what is passed on without being looked at. */
  cells: (query: Sql) => Promise<Cells[]>
  /** Gives a statement whose answer nobody waits for; where it fails, the transaction fails with it. */
  send: (query: Sql) => void
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
    const sight = raw(`set local app.accounts = '{${accounts.join(',')}}'`)
    return inTransaction({ pool: this.#web, work, before: [sql`begin`, sight] })
  }

  /**
   * Asks for what belongs to these accounts, with one way there and back: for questions that need nothing of each other's
   * answers. Undefined where the condition does not hold.
   */
  async ask({ accounts, holds }: Sight, questions: readonly Sql[]): Promise<Cells[][] | undefined> {
    const sight = sql`select set_config('app.accounts', ${`{${accounts.join(',')}}`}, true), ${holds}`
    const client = await this.#web.connect()
    try {
      const [[[, isHolding] = []] = [], ...answers] = await askAll(client, [kept(sight), ...questions])
      return isHolding === 't' ? answers : undefined
    } finally {
      client.release()
    }
  }

  /** Asks across accounts, with one way there and back: for those who follow what happens. */
  async askSystem(questions: readonly Sql[]): Promise<Cells[][]> {
    const client = await this.#system.connect()
    try {
      return await askAll(client, questions)
    } finally {
      client.release()
    }
  }

  /** Works across accounts: for the gateway, jobs and the sign-in only. */
  asSystem<T>(work: (tx: Transaction) => Promise<T>) {
    return inTransaction({ pool: this.#system, work, before: [sql`begin`] })
  }

  async close() {
    await Promise.all([this.#web.end(), this.#system.end()])
  }
}

type Work<T> = { pool: pg.Pool; work: (tx: Transaction) => Promise<T>; before: readonly Sql[] }

async function inTransaction<T>({ pool, work, before }: Work<T>) {
  const client = await pool.connect()
  const open = transactionOn(client)
  let broken: Error | undefined
  try {
    for (const statement of before) open.transaction.send(statement)
    const result = await work(open.transaction)
    await open.commit()
    return result
  } catch (error) {
    const cause = open.breakOff()
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw cause ?? error
  } finally {
    client.release(broken)
  }
}

/** A transaction on a connection: what is given at once goes to the database together. */
function transactionOn(client: pg.PoolClient) {
  let waiting: Given[] = []
  let isOver = false
  let unnoticed: unknown

  const give = (query: Sql) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // Work that goes on beside a failure must not go on outside the transaction.
    if (isOver) reject(new Error('The transaction has ended.'))
    else if (waiting.push({ query, resolve, reject }) === 1) process.nextTick(flush)
    return promise
  }
  const transaction: Transaction = {
    async rows(schema, query) {
      return rowsIn(await give(query)).map((row) => schema.parse(row))
    },
    async first(schema, query) {
      const [row] = rowsIn(await give(query))
      return row === undefined ? undefined : schema.parse(row)
    },
    async cells(query) {
      return (await give(query)).rows
    },
    async run(query) {
      const { tag } = await give(query)
      return Number(/\d+$/.exec(tag)?.[0] ?? 0)
    },
    send(query) {
      give(query).catch((reason: unknown) => {
        unnoticed ??= reason
      })
    },
  }
  return {
    transaction,
    /** Ends it, along with everything that was sent last. */
    async commit() {
      // A statement that could not be encoded never reached the database, which would commit without it.
      if (unnoticed !== undefined)
        throw new Error('A statement has failed, so nothing is committed.', { cause: unnoticed })
      const answer = give(sql`commit`)
      isOver = true
      const { tag } = await answer
      if (tag !== 'COMMIT') throw new Error('A statement had failed, so nothing was committed.')
    },
    /** Gives up what has not gone out yet, and answers what failed before anybody noticed: it is the reason that is told. */
    breakOff() {
      isOver = true
      waiting = []
      return unnoticed
    },
  }

  function flush() {
    const batch = waiting
    waiting = []
    if (batch.length > 0) sendBatch(client, batch)
  }
}

function rowsIn({ fields, rows }: Answer) {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserFor(dataTypeID) }))
  return rows.map((cells) =>
    Object.fromEntries(
      columns.map(({ name, parse }, index) => {
        const text = cells[index] ?? null
        return [name, text === null ? null : parse(text)]
      }),
    ),
  )
}

function rolePool({ databaseUrl, role, max }: { databaseUrl: string; role: string; max: number }) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    options: `-c role=${role} -c timezone=UTC`,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  })
  // A connection that the database drops is replaced by the next query; whoever used it hears of it there.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Whole numbers beyond 32 bits stay below 2^53 here (counters), and moments leave the database as ISO strings. */
function parserFor(oid: number): (text: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number
  if (oid === pg.types.builtins.TIMESTAMPTZ) return (text) => new Date(text).toISOString()
  const parser: unknown = pg.types.getTypeParser(oid, 'text')
  return isParser(parser) ? parser : String
}

function isParser(value: unknown): value is (text: string) => unknown {
  return typeof value === 'function'
}
