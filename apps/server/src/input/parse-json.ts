import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

/**
 * Parses JSON text in which no object names a key twice: two readers of such a text would read two things. `name` is
 * what the refusal calls the text: the body, or a parameter.
 */
export function parseJson(text: string, name: string): unknown {
  const value = parsed(text, name)
  const { key, depth } = lookedThrough(text)
  if (key !== undefined) throw unusable(name, problem('repeated_name', { name: key }))
  if (depth > deepest) throw unusable(name, problem('nested_too_deep', { maximum: deepest }))
  return value
}

/** Whoever walks through a value calls itself for each level: beyond some thousands it has no room left. */
const deepest = 64

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unusable(name, problem('not_json'), cause)
  }
}

/** Strings, with the colon that makes them keys, and where objects and lists begin and end. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g

/** A key that an object names twice, and how many levels there are up to it or in all. */
function lookedThrough(text: string) {
  const open: Set<string>[] = []
  let depth = 0
  for (const [mark, string = '', colon] of text.matchAll(token)) {
    if (mark === '{' || mark === '[') depth = Math.max(depth, open.push(new Set()))
    if (mark === '}' || mark === ']') open.pop()
    if (colon === undefined) continue
    const key = String(JSON.parse(string))
    // Everything has a prototype already: naming one is naming it again.
    if (open.at(-1)?.has(key) || key === '__proto__') return { key, depth }
    open.at(-1)?.add(key)
  }
  return { key: undefined, depth }
}
