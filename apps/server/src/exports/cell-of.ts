export type Cell = string | number | boolean | null

/** A value as one cell: lists of plain values with commas between, whatever else has parts as JSON text. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (isPlain(value)) return value
  return Array.isArray(value) && value.every(isPlain) ? value.join(', ') : JSON.stringify(value)
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
