const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

const holdersMark = ',"holders":'
const credentialsMark = ',"credentials":'

/**
 * The parts of a configuration, by name, as JSON texts: from its text as `configPieces` writes it. Nothing is parsed,
 * because a text can have many megabytes.
 */
export function partsOfConfig(text: string): ReadonlyMap<string, string> {
  const holders = text.indexOf(`${holdersMark}{`)
  const credentials = text.indexOf(`${credentialsMark}{`, holders)
  if (holders < 0 || credentials < 0) throw new Error('this is not the text of a configuration')
  return new Map([
    ...membersOf(`${text.slice(0, holders)}}`),
    ['holders', text.slice(holders + holdersMark.length, credentials)],
    ['credentials', text.slice(credentials + credentialsMark.length, -1)],
  ])
}

/** The members of a JSON object without spaces: their names, and the texts of their values. */
export function* membersOf(text: string): Generator<readonly [string, string]> {
  let at = 1
  while (text.charCodeAt(at) === quote) {
    const value = endOfString(text, at) + 1
    const end = endOfValue(text, value)
    yield [text.slice(at + 1, value - 2), text.slice(value, end)]
    at = end + 1
  }
}

/** The place behind the JSON value that begins there. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (depth === 0 && (code === comma || code === closeBrace)) return at
    if (code === openBrace || code === openBracket) depth += 1
    if (code === closeBrace || code === closeBracket) depth -= 1
    at = code === quote ? endOfString(text, at) : at + 1
  }
  throw new Error('the text of a configuration is not complete')
}

/** The place behind the string that begins there. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
  throw new Error('the text of a configuration is not complete')
}
