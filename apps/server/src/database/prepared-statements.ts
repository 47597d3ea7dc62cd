import type { Sql } from 'sql-template-tag'

/**
 * Marks a statement to be prepared on every connection: for a bounded number of texts whose plan suits all values.
 * Other statements are planned for their values.
 */
export function prepared(query: Sql): Sql {
  marked.add(query)
  return query
}

export function isPrepared(query: Sql) {
  return marked.has(query)
}

const marked = new WeakSet<Sql>()

/** Plans take memory on every connection: statements beyond this number are not prepared there. */
export const maxPreparedPerConnection = 200

/** Texts beyond this number are not prepared on any connection. */
const maxNames = 2_000
const namesByText = new Map<string, string>()

/** The name of a prepared statement; empty when the limit is reached. */
export function nameFor(text: string) {
  const existing = namesByText.get(text)
  if (existing !== undefined) return existing
  if (namesByText.size >= maxNames) return ''
  const name = `prepared_${namesByText.size}`
  namesByText.set(text, name)
  return name
}
