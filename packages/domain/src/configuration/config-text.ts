import type { CompiledUnit } from './compile-unit.ts'

const atOnce = 250

/** The text of a configuration in pieces: together that of `JSON.stringify` of the whole. */
export function* configPieces({ head, holders, credentials }: CompiledUnit): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"holders":{`
  yield* piecesOf(holders)
  yield '},"credentials":{'
  yield* piecesOf(credentials)
  yield '}}'
}

function* piecesOf(entries: readonly (readonly [string, unknown])[]) {
  for (let at = 0; at < entries.length; at += atOnce) {
    const some = entries.slice(at, at + atOnce).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    yield `${at === 0 ? '' : ','}${some.join(',')}`
  }
}
