import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

/**
 * Parses JSON text and refuses duplicate keys, which parsers interpret differently. `name` is the name of the text in
 * errors: the body, or a parameter. Depth is checked first, because a parser's work and memory grow with it.
 */
export function parseJson(text: string, name: string): unknown {
  if (isTooDeep(text)) throw unusable(name, problem('nested_too_deep', { maximum: maxDepth }))
  const value = parsed(text, name)
  const key = duplicateKey(text)
  if (key !== undefined) throw unusable(name, problem('repeated_name', { name: key.slice(0, mostKeyCharacters) }))
  return value
}

/** Code that walks a value recurses once per level, and thousands of levels overflow the stack. */
const maxDepth = 64
const mostKeyCharacters = 100

/** Whether brackets outside strings nest deeper than allowed; one pass that stops there. */
function isTooDeep(text: string) {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (isInString && mark === '\\') at += 1
    else if (mark === '"') isInString = !isInString
    else if (!isInString && (mark === '{' || mark === '[')) depth += 1
    else if (!isInString && (mark === '}' || mark === ']')) depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unusable(name, problem('not_json'), cause)
  }
}

/** Strings, with the colon that makes them keys, and the brackets of objects and lists. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g

/** Of a list, which needs no set of its own. */
const noKeys = new Set<string>()

/** The first duplicate key of an object in valid JSON text. */
function duplicateKey(text: string) {
  const open: Set<string>[] = []
  for (const [mark, string = '', colon] of text.matchAll(token)) {
    if (mark === '{') open.push(new Set())
    else if (mark === '[') open.push(noKeys)
    else if (mark === '}' || mark === ']') open.pop()
    if (colon === undefined) continue
    const key = String(JSON.parse(string))
    const keys = open.at(-1) ?? noKeys
    // Every object has a prototype already, so `__proto__` counts as a duplicate.
    if (keys.has(key) || key === '__proto__') return key
    keys.add(key)
  }
  return undefined
}
