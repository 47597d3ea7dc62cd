import type { ConfigParts, ConfigTail } from './fit-to-capacity.ts'

/**
 * A part of a configuration's text: some entries of one of the longest sections, or all other fields. `text` is that of
 * an object without its braces; `before` separates it from the piece before.
 */
export type ConfigPiece = {
  readonly section: ConfigPieceSection
  readonly before: string
  readonly text: string
}
/** `head`: the fields outside the other sections. */
export const pieceSections = ['holders', 'credentials', 'access', 'head'] as const
export type ConfigPieceSection = (typeof pieceSections)[number]

/** Follows the last piece. */
export const configEnd = '}'

/** On average; a piece has at most `mostEntries`. */
const averageEntries = 64
const mostEntries = 500

/**
 * The text of a configuration in pieces: together that of `JSON.stringify` of the whole. The last key of a piece decides
 * that it ends there, so that a change of one entry changes one piece. The tail, which changes most often and is short,
 * comes last: the text before it need not be hashed again.
 */
export function* configPieces({ holders, credentials, ...tail }: ConfigParts): Generator<ConfigPiece> {
  yield* piecesOf(holders, { section: 'holders', before: '{"holders":{' })
  yield* piecesOf(credentials, { section: 'credentials', before: '},"credentials":{' })
  yield* tailPieces(tail)
}

export function* tailPieces({ access, head }: ConfigTail): Generator<ConfigPiece> {
  yield* piecesOf(access, { section: 'access', before: '},"access":{' })
  yield { section: 'head', before: '},', text: JSON.stringify(head).slice(1, -1) }
}

export function isInTail({ section }: Pick<ConfigPiece, 'section'>): boolean {
  return section === 'access' || section === 'head'
}

type Entries = readonly (readonly [string, unknown])[]

function* piecesOf(entries: Entries, { section, before }: Omit<ConfigPiece, 'text'>): Generator<ConfigPiece> {
  let separator = before
  let texts: string[] = []
  for (const [at, [key, value]] of entries.entries()) {
    texts.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`)
    if (texts.length < mostEntries && !isLastKey(key) && at < entries.length - 1) continue
    yield { section, before: separator, text: texts.join(',') }
    texts = []
    separator = ','
  }
  if (entries.length === 0) yield { section, before, text: '' }
}

/** By the FNV-1a hash of the key. */
function isLastKey(key: string) {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (hash >>> 16) % averageEntries === 0
}
