import { unusable } from './unusable.ts'

/**
 * Parses JSON text in which no object names a key twice: two readers of such a text would read two things. `name` is
 * what the refusal calls the text: the body, or a parameter.
 */
export function parseJson(text: string, name: string): unknown {
  const value = parsed(text, name)
  const key = repeatedKey(text)
  if (key !== undefined) throw unusable(name, `it names "${key}" more than once`)
  return value
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unusable(name, 'it is not JSON text', cause)
  }
}

/** Strings, with the colon that makes them keys, and where objects and lists begin and end. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g

function repeatedKey(text: string) {
  const open: Set<string>[] = []
  for (const [mark, string = '', colon] of text.matchAll(token)) {
    if (mark === '{' || mark === '[') open.push(new Set())
    if (mark === '}' || mark === ']') open.pop()
    if (colon === undefined) continue
    const key = String(JSON.parse(string))
    // Everything has a prototype already: naming one is naming it again.
    if (open.at(-1)?.has(key) || key === '__proto__') return key
    open.at(-1)?.add(key)
  }
  return undefined
}
