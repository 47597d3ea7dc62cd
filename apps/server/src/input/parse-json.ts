import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

/**
 * Parses JSON text and refuses duplicate keys, which parsers interpret differently. `name` is the name of the text in
 * errors: the body, or a parameter. Depth and size are checked first, because a parser's work and memory grow with them.
 */
export function parseJson(text: string, name: string): unknown {
  checkSize(text, name)
  const value = parsed(text, name)
  const key = duplicateKey(text)
  if (key !== undefined) throw unusable(name, problem('repeated_name', { name: key.slice(0, mostKeyCharacters) }))
  return value
}

/** Code that walks a value recurses once per level, and thousands of levels overflow the stack. */
const maxDepth = 64
const mostKeyCharacters = 100
/** Objects, lists and keys: several times as many as the longest import has. */
const mostEntries = 50_000

/** What a mark outside strings adds to the levels that are open and to the entries. */
const marks = new Map([
  ['{', { levels: 1, entries: 1 }],
  ['[', { levels: 1, entries: 1 }],
  ['}', { levels: -1, entries: 0 }],
  [']', { levels: -1, entries: 0 }],
  [':', { levels: 0, entries: 1 }],
])

/** One pass that stops where there are more levels or entries than allowed. */
function checkSize(text: string, name: string) {
  let [depth, entries, isInString] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at] ?? ''
    if (isInString && mark === '\\') at += 1
    else if (mark === '"') isInString = !isInString
    const added = isInString ? undefined : marks.get(mark)
    if (added === undefined) continue
    depth += added.levels
    entries += added.entries
    if (depth > maxDepth) throw unusable(name, problem('nested_too_deep', { maximum: maxDepth }))
    if (entries > mostEntries) throw unusable(name, problem('too_many_entries', { maximum: mostEntries }))
  }
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
