import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

/**
 * Parses JSON text and refuses duplicate keys, which parsers interpret differently. `name` is the name of the text in
 * errors: the body, or a parameter. Depth and size are checked first, because a parser's work and memory grow with them.
 */
export function parseJson(text: string, name: string): unknown {
  checkSize(text, name)
  const value = parsed(text, name)
  const key = duplicateKey(text, name)
  if (key !== undefined) throw unusable(name, problem('repeated_name', { name: key.slice(0, maxKeyCharacters) }))
  return value
}

/** Code that walks a value recurses once per level, and thousands of levels overflow the stack. */
const maxDepth = 64
const maxKeyCharacters = 100
/** Objects, lists, keys and values in lists: twice as many as there are ids in a body of the longest size. */
const maxEntries = 50_000
/** Of one object. Each unknown one is a problem of its own. */
const maxKeys = 2_000

/** One pass that stops where there are more levels or entries than allowed. */
function checkSize(text: string, name: string) {
  let [depth, entries] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (mark === '"') at = endOfString(text, at)
    else if (mark === '}' || mark === ']') depth -= 1
    else if (mark === '{' || mark === '[') {
      depth += 1
      entries += 1
    } else if (mark === ',') entries += 1
    if (depth > maxDepth) throw unusable(name, problem('nested_too_deep', { maximum: maxDepth }))
    if (entries > maxEntries) throw unusable(name, problem('too_many_entries', { maximum: maxEntries }))
  }
}

/** The position of the quote that ends the string which begins here, or the end of the text. */
function endOfString(text: string, begin: number) {
  for (let at = text.indexOf('"', begin + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unusable(name, problem('not_json'), cause)
  }
}

/** Of a list, which needs no set of its own. */
const noKeys = new Set<string>()

const colonNext = /\s*:/y

/** The first duplicate key of an object in valid JSON text. Throws where an object has too many. */
function duplicateKey(text: string, name: string) {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (mark === '{') open.push(new Set())
    else if (mark === '[') open.push(noKeys)
    else if (mark === '}' || mark === ']') open.pop()
    if (mark !== '"') continue
    const begin = at
    at = endOfString(text, at)
    colonNext.lastIndex = at + 1
    if (!colonNext.test(text)) continue
    const keys = open.at(-1) ?? noKeys
    const key = textOf(text.slice(begin, at + 1))
    // Every object has a prototype already, so `__proto__` counts as a duplicate.
    if (keys.has(key) || key === '__proto__') return key
    if (keys.size >= maxKeys) throw unusable(name, problem('too_many_entries', { maximum: maxKeys }))
    keys.add(key)
  }
  return undefined
}

/** The text that a JSON string stands for. */
function textOf(string: string) {
  return string.includes('\\') ? String(JSON.parse(string)) : string.slice(1, -1)
}
