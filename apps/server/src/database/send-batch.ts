import type { Connection, FieldDef, PoolClient } from 'pg'
import type { Sql } from 'sql-template-tag'
import { isKept, nameFor } from './kept-statements.ts'

/** The cells of a row as PostgreSQL writes them. */
export type Cells = readonly (string | null)[]

export type Answer = { fields: readonly FieldDef[]; rows: Cells[]; tag: string }

/** A statement, and who waits for its answer. */
export type Given = { query: Sql; resolve: (answer: Answer) => void; reject: (reason: unknown) => void }

/**
 * Gives statements to a connection that go one way there and back together. They run in their order; where one fails, those
 * behind it are not run and fail with it. Outside a transaction they are one by themselves.
 */
export function sendBatch(client: PoolClient, batch: readonly Given[]) {
  const statements = batch.map(({ query }) => statementOf(query))
  let names = new Set<string>()
  let fields: readonly FieldDef[] = []
  let rows: Cells[] = []
  let at = 0

  client.query({
    submit(connection: Connection) {
      names = namesOf(connection)
      connection.stream.cork()
      for (const statement of statements) send(connection, statement)
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription(message: { fields: readonly FieldDef[] }) {
      fields = message.fields
    },
    handleDataRow(message: { fields: Cells }) {
      rows.push(message.fields)
    },
    handleCommandComplete({ text }: { text: string }) {
      const name = statements[at]?.name
      if (name) names.add(name)
      batch[at]?.resolve({ fields, rows, tag: text })
      at += 1
      fields = []
      rows = []
    },
    handleError: fail,
    handleReadyForQuery: () => fail(new Error('The database has left statements unanswered.')),
  })

  function fail(reason: unknown) {
    for (; at < batch.length; at += 1) batch[at]?.reject(reason)
  }

  function send(connection: Connection, { name, text, values }: Statement) {
    if (!names.has(name)) {
      // After a failure it is not known whether the name is taken.
      if (name !== '') connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
    }
    connection.bind({ statement: name, values }, true)
    connection.describe({ type: 'P' }, true)
    connection.execute({ portal: '' }, true)
  }
}

type Statement = { name: string; text: string; values: (Buffer | string | null)[] }

function statementOf(query: Sql): Statement {
  const { text, values } = query
  return { name: isKept(query) ? nameFor(text) : '', text, values: values.map(encoded) }
}

const namesByConnection = new WeakMap<Connection, Set<string>>()

/** The statements that a connection is known to keep. */
function namesOf(connection: Connection) {
  const known = namesByConnection.get(connection) ?? new Set<string>()
  namesByConnection.set(connection, known)
  return known
}

/** A value as PostgreSQL reads it: bytes, lists, documents, and what has one word for it. */
function encoded(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : JSON.stringify(value)
}

/** Numbers, booleans and nothing at all are bare; every text is quoted, be it a document's. */
function element(value: unknown) {
  const text = encoded(value)
  if (text === null || typeof value === 'number' || typeof value === 'boolean') return String(text).toUpperCase()
  return `"${String(text).replace(/["\\]/g, String.raw`\$&`)}"`
}
