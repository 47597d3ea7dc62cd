import type { Sql } from 'sql-template-tag'

/**
 * Marks a statement that every connection keeps with its plan: for a bounded number of texts, whose plan is good whatever
 * the values are; all others are planned afresh for their values.
 */
export function kept(query: Sql): Sql {
  marked.add(query)
  return query
}

export function isKept(query: Sql) {
  return marked.has(query)
}

const marked = new WeakSet<Sql>()

/** Plans take memory on every connection: who comes after so many texts goes without. */
const mostKept = 200
const namesByText = new Map<string, string>()

/** The name under which connections keep a statement; none where there are too many already. */
export function nameFor(text: string) {
  const known = namesByText.get(text)
  if (known !== undefined) return known
  if (namesByText.size >= mostKept) return ''
  const name = `kept_${namesByText.size}`
  namesByText.set(text, name)
  return name
}
