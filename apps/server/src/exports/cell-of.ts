export type Cell = string | number | boolean | null

/** A value as one cell: a list of plain values joined by commas, other lists and objects as JSON text. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (isPlain(value)) return value
  return Array.isArray(value) && value.every(isPlain) ? value.join(', ') : JSON.stringify(value)
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
