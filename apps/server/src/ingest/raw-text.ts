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
  return Array.isArray(value) ? beginningOfList(value, left) : beginningOfObject(value, left)
}

function beginningOfList(list: readonly unknown[], left: { parts: number }) {
  const parts: unknown[] = []
  for (const part of list) {
    if (left.parts <= 0) break
    parts.push(beginningOf(part, left))
  }
  return parts
}

function beginningOfObject(object: object, left: { parts: number }) {
  const parts: [string, unknown][] = []
  for (const key in object) {
    if (left.parts <= 0) break
    const part: unknown = Reflect.get(object, key)
    parts.push([key.slice(0, maxCharacters), isSecret(key, object) ? masked(part) : beginningOf(part, left)])
  }
  return Object.fromEntries(parts)
}

/** Whether a value may be a PIN, or the number of a QR code or a phone: anything so called, except the number of a card. */
function isSecret(key: string, { kind }: { kind?: unknown }) {
  if (!/number|pin|secret|^code$/i.test(key)) return false
  return key !== 'number' || (kind !== 'card' && kind !== 'iButton')
}

function masked(value: unknown) {
  return typeof value === 'boolean' || value === null ? value : maskOf('', 'pin')
}
