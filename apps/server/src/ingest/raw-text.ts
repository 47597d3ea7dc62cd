import { maskOf } from '@portcullis/contract/sealed-numbers'

/** Each part of a body is at least two characters of its text, so the beginning needs no more parts. */
const maxCharacters = 4_000
const maxParts = maxCharacters / 2

/**
 * The beginning of a body that cannot be read, as text for the manufacturer. Numbers that may be those of a QR code or a
 * phone are masked. It reads only the beginning: a frame may have tens of thousands of parts.
 */
export function rawText(body: unknown): string {
  return (JSON.stringify(beginningOf(body, { parts: maxParts })) ?? 'nothing').slice(0, maxCharacters).toWellFormed()
}

function beginningOf(value: unknown, left: { parts: number }): unknown {
  left.parts -= 1
  if (typeof value === 'string') return value.slice(0, maxCharacters)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const parts: unknown[] = []
    for (const part of value) {
      if (left.parts <= 0) break
      parts.push(beginningOf(part, left))
    }
    return parts
  }
  const isSecret = 'number' in value && !('kind' in value && (value.kind === 'card' || value.kind === 'iButton'))
  const parts: [string, unknown][] = []
  for (const key in value) {
    if (left.parts <= 0) break
    const part: unknown = Reflect.get(value, key)
    const isMasked = isSecret && key === 'number' && (typeof part === 'string' || typeof part === 'number')
    parts.push([key.slice(0, maxCharacters), isMasked ? maskOf(`${part}`) : beginningOf(part, left)])
  }
  return Object.fromEntries(parts)
}
