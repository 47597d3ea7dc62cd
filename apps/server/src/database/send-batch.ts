import type { ClientBase, Connection, FieldDef } from 'pg'
import type { Sql } from 'sql-template-tag'
import { isPrepared, maxPreparedPerConnection, nameFor } from './prepared-statements.ts'

/** The cells of a row as PostgreSQL writes them. */
export type Cells = readonly (string | null)[]

export type Answer = { fields: readonly FieldDef[]; rows: Cells[]; tag: string }

/** A statement, and the callbacks for its result. */
export type Given = { query: Sql; resolve: (answer: Answer) => void; reject: (reason: unknown) => void }

/**
 * Sends statements in one round trip. They run in order; if one fails, those behind it do not run and fail with the
 * same error. Outside a transaction the batch is a transaction of its own. COPY is not supported.  `pg` documents no
 * way to send several statements before one Sync, so this drives its connection directly: the message methods and the
 * callbacks of a query object (decision 0084). The tests in `driver-contract/` prove both for the installed `pg`.
 */
export function sendBatch(client: ClientBase, batch: readonly Given[]) {
  let statements: Statement[] = []
  let names = new Set<string>()
  let fields: readonly FieldDef[] = []
  let rows: Cells[] = []
  let at = 0

  try {
    statements = batch.map(({ query }) => statementOf(query))
  } catch (error) {
    fail(new Error('A value cannot be sent to the database.', { cause: error }))
    return
  }
  client.query({
    submit(connection: Connection) {
      names = namesOf(connection)
      statements = statements.map((statement) => withinLimit(statement, names))
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
    handleCommandComplete: ({ text }: { text: string }) => complete(text),
    handleEmptyQuery: () => complete(''),
    handleError: fail,
    handleReadyForQuery: () => fail(new Error('The database has left statements unanswered.')),
  })

  function complete(tag: string) {
    const name = statements[at]?.name
    if (name) names.add(name)
    batch[at]?.resolve({ fields, rows, tag })
    at += 1
    fields = []
    rows = []
  }

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

type Statement = { name: string; text: string; values: EncodedValue[] }

function statementOf(query: Sql): Statement {
  const { text, values } = query
  return { name: isPrepared(query) ? nameFor(text) : '', text, values: values.map(encodeValue) }
}

/** The statement without its name where the connection has prepared as many others as it may. */
function withinLimit(statement: Statement, names: ReadonlySet<string>): Statement {
  const isRoomLeft = names.has(statement.name) || names.size < maxPreparedPerConnection
  return isRoomLeft ? statement : { ...statement, name: '' }
}

const namesByConnection = new WeakMap<Connection, Set<string>>()

/** The names of the statements prepared on a connection. */
function namesOf(connection: Connection) {
  const existing = namesByConnection.get(connection) ?? new Set<string>()
  namesByConnection.set(connection, existing)
  return existing
}

/** A value as the protocol carries it: bytes of a `bytea`, the text of any other type, or null. */
type EncodedValue = Buffer | string | null

/**
 * Encodes a value for PostgreSQL, which knows its type: lists become array literals, objects become JSON. Pass a JSON
 * array as text, because a list is always an array. Throws where a value has no text, such as a circular object.
 */
function encodeValue(value: unknown): EncodedValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(encodeElement).join(',')}}`
  // JSON has no bigint, and no NaN.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return JSON.stringify(value)
}

/** Everything but null is quoted, so that a text such as NULL or {a,b} stays a text. */
function encodeElement(value: unknown) {
  const encoded = encodeValue(value)
  if (encoded === null) return 'NULL'
  const text = Buffer.isBuffer(encoded) ? `\\x${encoded.toString('hex')}` : encoded
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`
}
