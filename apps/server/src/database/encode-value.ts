/** A value as the protocol carries it: bytes of a `bytea`, the text of any other type, or null. */
export type EncodedValue = Buffer | string | null

/**
 * Encodes a value for PostgreSQL, which knows its type: lists become array literals, objects become JSON. A JSON array is
 * given as its text, because a list is always an array. Throws where a value has no text, such as a circular object.
 */
export function encodeValue(value: unknown): EncodedValue {
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
