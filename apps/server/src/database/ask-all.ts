import type { Connection, PoolClient } from 'pg'
import type { Sql } from 'sql-template-tag'
import { nameFor } from './kept-statements.ts'

/**
 * `kept`: every connection keeps the statement and, once it has seen that values make no difference, its plan. For a
 * bounded number of texts, whose plan is good whatever the values are; all others are planned afresh for their values.
 */
export type Question = { query: Sql; plan: 'kept' | 'fresh' }

/** The cells of a row as PostgreSQL writes them. */
export type Cells = readonly (string | null)[]

/**
 * Asks several things with one way there and back, all in one transaction, which the database ends by itself. The answers
 * come in the order of the questions; if one fails, all do.
 */
export function askAll(client: PoolClient, questions: readonly Question[]): Promise<Cells[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<Cells[][]>()
  const statements = questions.map(statementOf)
  const answers: Cells[][] = []
  let rows: Cells[] = []
  let names = new Set<string>()

  client.query({
    submit(connection: Connection) {
      names = namesOf(connection)
      connection.stream.cork()
      for (const statement of statements) send(connection, statement)
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription() {},
    handleDataRow({ fields }: { fields: Cells }) {
      rows.push(fields)
    },
    handleCommandComplete() {
      const name = statements[answers.length]?.name
      if (name) names.add(name)
      answers.push(rows)
      rows = []
    },
    handleError: reject,
    handleReadyForQuery: () => resolve(answers),
  })
  return promise

  function send(connection: Connection, { name, text, values }: Statement) {
    if (!names.has(name)) {
      // After a failure it is not known whether the name is taken.
      if (name !== '') connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
    }
    connection.bind({ statement: name, values }, true)
    connection.execute({ portal: '' }, true)
  }
}

type Statement = { name: string; text: string; values: (Buffer | string | null)[] }

function statementOf({ query: { text, values }, plan }: Question): Statement {
  return { name: plan === 'kept' ? nameFor(text) : '', text, values: values.map(encoded) }
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
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : JSON.stringify(value)
}

function element(value: unknown) {
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, String.raw`\$&`)}"` : JSON.stringify(value)
}
