import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { cancelOnAbort } from './cancel-on-abort.ts'
import type { Logins } from './logins.ts'
import { runQueries } from './run-queries.ts'
import { prepared } from './prepared-statements.ts'
import { type Answer, type Cells, type Given, sendBatch } from './send-batch.ts'

/**
 * What a unit of work may do inside its transaction; rows are parsed where they enter. Statements run in the order
 * given, and are sent without waiting for earlier results: issue independent statements together, to use one round
 * trip.
 */
export type Transaction = {
  rows: <S extends z.ZodType>(schema: S, query: Sql) => Promise<z.output<S>[]>
  first: <S extends z.ZodType>(schema: S, query: Sql) => Promise<z.output<S> | undefined>
  /** Runs a statement and returns the number of rows it affected. */
  run: (query: Sql) => Promise<number>
  /** Rows as PostgreSQL writes them, for results that are passed on unparsed. */
  cells: (query: Sql) => Promise<Cells[]>
  /** Sends a statement without waiting for its result; if it fails, the transaction fails. */
  send: (query: Sql) => void
}

/** The accounts in scope, and the signal that aborts when no client waits for the results. */
type ReadScope = { accounts: readonly number[]; signal?: AbortSignal | undefined }
/** Also a condition without which the results must not be used. */
type Scope = ReadScope & { holds: Sql }

/** The server's connections to PostgreSQL, one pool a login. */
export class Database {
  readonly #web: pg.Pool
  readonly #system: pg.Pool

  constructor({ logins, connections }: { logins: Pick<Logins, 'web' | 'system'>; connections: number }) {
    this.#web = loginPool({ url: logins.web, statementSeconds: 10, lockSeconds: 5, idleSeconds: 60, max: connections })
    const max = Math.max(4, Math.floor(connections / 2))
    this.#system = loginPool({ url: logins.system, statementSeconds: 60, lockSeconds: 30, idleSeconds: 120, max })
  }

  /** Runs work that can read and write only these accounts. */
  inAccounts<T>(accounts: readonly number[], work: (tx: Transaction) => Promise<T>) {
    return inTransaction({ pool: this.#web, work, before: [sql`begin`, limitedTo(accounts)], signal: undefined })
  }

  /** The same for work that only reads: when the signal aborts, its statement is cancelled. */
  readInAccounts<T>({ accounts, signal }: ReadScope, work: (tx: Transaction) => Promise<T>) {
    return inTransaction({ pool: this.#web, work, before: [sql`begin read only`, limitedTo(accounts)], signal })
  }

  /**
   * Runs independent queries limited to these accounts, in one round trip. Undefined if the condition does not hold.
   * When the signal aborts, they are cancelled.
   */
  async ask({ accounts, holds, signal }: Scope, queries: readonly Sql[]): Promise<Cells[][] | undefined> {
    const scope = sql`select set_config('app.accounts', ${`{${accounts.join(',')}}`}, true), ${holds}`
    const client = await this.#web.connect()
    const cancelling = cancelOnAbort(client, signal)
    try {
      signal?.throwIfAborted()
      const [[[, isHolding] = []] = [], ...answers] = await runQueries(client, [prepared(scope), ...queries])
      return isHolding === 't' ? answers : undefined
    } finally {
      await cancelling.end()
      client.release()
    }
  }

  /** Runs queries across accounts in one round trip, for followers of the outbox. */
  async askSystem(queries: readonly Sql[]): Promise<Cells[][]> {
    const client = await this.#system.connect()
    try {
      return await runQueries(client, queries)
    } finally {
      client.release()
    }
  }

  /** Reads rows across accounts with one statement, in one round trip: for the gateway, jobs and the sign-in only. */
  async rows<S extends z.ZodType>(schema: S, query: Sql): Promise<z.output<S>[]> {
    const client = await this.#system.connect()
    try {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      sendBatch(client, [{ query, resolve, reject }])
      return rowsIn(await promise).map((row) => schema.parse(row))
    } finally {
      client.release()
    }
  }

  /** The same for at most one row. */
  async first<S extends z.ZodType>(schema: S, query: Sql): Promise<z.output<S> | undefined> {
    const [row] = await this.rows(schema, query)
    return row
  }

  /** Runs work across accounts: for the gateway, jobs and the sign-in only. */
  asSystem<T>(work: (tx: Transaction) => Promise<T>) {
    return inTransaction({ pool: this.#system, work, before: [sql`begin`], signal: undefined })
  }

  async close() {
    await Promise.all([this.#web.end(), this.#system.end()])
  }
}

function limitedTo(accounts: readonly number[]) {
  return raw(`set local app.accounts = '{${accounts.join(',')}}'`)
}

type Work<T> = {
  pool: pg.Pool
  work: (tx: Transaction) => Promise<T>
  before: readonly Sql[]
  signal: AbortSignal | undefined
}

async function inTransaction<T>({ pool, work, before, signal }: Work<T>) {
  const client = await pool.connect()
  const cancelling = cancelOnAbort(client, signal)
  const open = transactionOn(client)
  let broken: Error | undefined
  try {
    signal?.throwIfAborted()
    for (const statement of before) open.transaction.send(statement)
    const result = await work(open.transaction)
    await cancelling.end()
    await open.commit()
    return result
  } catch (error) {
    const cause = open.abort()
    await cancelling.end()
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw cause ?? error
  } finally {
    client.release(broken)
  }
}

/** A transaction on a connection; statements given in the same tick are sent together. */
function transactionOn(client: pg.PoolClient) {
  let waiting: Given[] = []
  let isOver = false
  let sendError: unknown

  const enqueue = (query: Sql) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // Work that continues after a failure must not run outside the transaction.
    if (isOver) reject(new Error('The transaction has ended.'))
    else if (waiting.push({ query, resolve, reject }) === 1) process.nextTick(flush)
    return promise
  }
  const transaction: Transaction = {
    async rows(schema, query) {
      return rowsIn(await enqueue(query)).map((row) => schema.parse(row))
    },
    async first(schema, query) {
      const [row] = rowsIn(await enqueue(query))
      return row === undefined ? undefined : schema.parse(row)
    },
    async cells(query) {
      return (await enqueue(query)).rows
    },
    async run(query) {
      const { tag } = await enqueue(query)
      return Number(/\d+$/.exec(tag)?.[0] ?? 0)
    },
    send(query) {
      enqueue(query).catch((reason: unknown) => {
        sendError ??= reason
      })
    },
  }
  return {
    transaction,
    /** Commits, in one batch with the statements still waiting. */
    async commit() {
      // A statement that could not be encoded never reached the database, which would commit without it.
      if (sendError !== undefined)
        throw new Error('A statement has failed, so nothing is committed.', { cause: sendError })
      const answer = enqueue(sql`commit`)
      isOver = true
      const { tag } = await answer
      if (tag !== 'COMMIT') throw new Error('A statement had failed, so nothing was committed.')
    },
    /** Drops statements not yet sent, and returns the error of a failed `send`, which is then the cause to report. */
    abort() {
      isOver = true
      waiting = []
      return sendError
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

type LoginPoolOptions = {
  url: string
  /** The database cancels a statement that takes longer, which includes its wait for locks. */
  statementSeconds: number
  /** A statement that waits longer for a lock fails, and its request can be repeated. */
  lockSeconds: number
  /** The database ends a transaction, with its locks, that waits longer for the server's next statement: its process has stalled. */
  idleSeconds: number
  max: number
}

function loginPool({ url, statementSeconds, lockSeconds, idleSeconds, max }: LoginPoolOptions) {
  const limits = { statement: statementSeconds, lock: lockSeconds, idle_in_transaction_session: idleSeconds }
  const settings = Object.entries(limits).map(([name, seconds]) => `-c ${name}_timeout=${seconds}s`)
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options: `-c timezone=UTC ${settings.join(' ')}`,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  })
  // A dropped connection is replaced by the next query; queries that were running on it fail by themselves.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Integers of 64 bits stay below 2^53 here (counters), and moments leave the database as ISO strings. */
function parserFor(oid: number): (text: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number
  if (oid === pg.types.builtins.TIMESTAMPTZ) return (text) => new Date(text).toISOString()
  const parser: unknown = pg.types.getTypeParser(oid, 'text')
  return isParser(parser) ? parser : String
}

function isParser(value: unknown): value is (text: string) => unknown {
  return typeof value === 'function'
}
