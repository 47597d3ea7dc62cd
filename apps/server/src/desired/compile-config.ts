import { createHash, type Hash, hash as hashOf } from 'node:crypto'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { accessMarkOf } from '@portcullis/domain/configuration/affected-units'
import {
  type CompiledUnit,
  type CompileUnit,
  compileHead,
  compileInSteps,
} from '@portcullis/domain/configuration/compile-unit'
import { configEnd, configPieces, headPiece, pieceSections } from '@portcullis/domain/configuration/config-text'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import { z } from 'zod'
import { runInSlices } from '../time-slices.ts'
import { type LeftOutItems, leftOutItemsOf } from './left-out-items.ts'

/** A piece of the text of a configuration. Those with the same digest have the same text; `length` is in bytes. */
export const storedPiece = z.object({ section: z.enum(pieceSections), digest: z.string(), length: z.int() })
export type StoredPiece = z.output<typeof storedPiece>

export type NextConfig = {
  /** SHA-256 of the whole text, in hex, and its bytes. */
  readonly hash: string
  readonly bytes: number
  readonly size: CompiledUnit['needs']
  readonly leftOut: LeftOutItems | null
  readonly pieces: readonly StoredPiece[]
  /** By digest, of the pieces that were made: always the head, and the others unless all of them are stored. */
  readonly texts: ReadonlyMap<string, string>
}

type CompileConfig = Omit<CompileUnit, 'hashNumber'> & {
  /** Of the unit, in Base64: the keys of its credentials depend on it. */
  readonly secret: string
  /** Pieces whose texts are stored. */
  readonly stored: readonly StoredPiece[]
}

/** The text of a configuration before its head, hashed so far. */
type BeforeHead = { readonly hash: Hash; readonly bytes: number; readonly pieces: readonly StoredPiece[] }
type KnownAccess = BeforeHead & {
  readonly key: string
  readonly mark: symbol | undefined
  readonly rules: readonly string[]
  readonly credentials: number
}

/** Of each unit the last one that was compiled. It goes with the policy. */
const knownAccess = new WeakMap<PolicyIndex, Map<string, KnownAccess>>()

/**
 * Compiles the configuration of a unit, as it is stored and sent, in slices between which other work runs. If no holder or
 * credential has changed since the last time, only the head is compiled.
 */
export async function compileConfig(input: CompileConfig): Promise<NextConfig> {
  const known = knownAccessFor(input)
  const compiled = known && compileHead(input, known)
  if (known === undefined || compiled === undefined) return runInSlices(wholeInSteps(input))
  const { head, ...rest } = withHead(known, compiled.head)
  return { ...rest, size: compiled.needs, leftOut: null, texts: new Map([head]) }
}

function knownAccessFor(input: CompileConfig): KnownAccess | undefined {
  const { index, unit, stored } = input
  const known = knownAccess.get(index)?.get(unit)
  if (known?.key !== keyOf(input) || known.mark !== accessMarkOf(index, unit)) return undefined
  // They are not if storing them has failed, or if another server has stored a version since.
  const digests = new Set(stored.map(({ digest }) => digest))
  return known.pieces.every(({ digest }) => digests.has(digest)) ? known : undefined
}

function* wholeInSteps(input: CompileConfig): Generator<undefined, NextConfig> {
  const compiled = yield* compileInSteps({ ...input, hashNumber: (number) => credentialKey(input.secret, number) })
  const hash = createHash('sha256')
  const pieces: StoredPiece[] = []
  const texts = new Map<string, string>()
  let bytes = 0
  for (const { section, before, text } of configPieces(compiled)) {
    if (section === 'head') continue
    const piece = pieceOf(section, text)
    hash.update(before).update(text)
    bytes += before.length + piece.length
    pieces.push(piece)
    texts.set(piece.digest, text)
    yield
  }
  const leftOut = leftOutItemsOf(compiled)
  if (leftOut === null) remember(input, { ...compiled, hash, bytes, pieces })
  const { head, ...rest } = withHead({ hash, bytes, pieces }, compiled.head)
  return { ...rest, size: compiled.needs, leftOut, texts: texts.set(...head) }
}

function withHead({ hash, bytes, pieces }: BeforeHead, content: CompiledUnit['head']) {
  const { section, before, text } = headPiece(content)
  const piece = pieceOf(section, text)
  return {
    hash: hash.copy().update(before).update(text).update(configEnd).digest('hex'),
    bytes: bytes + before.length + piece.length + configEnd.length,
    pieces: [...pieces, piece],
    head: [piece.digest, text] as const,
  }
}

function pieceOf(section: StoredPiece['section'], text: string): StoredPiece {
  return { section, digest: hashOf('sha256', text, 'base64').slice(0, 22), length: Buffer.byteLength(text) }
}

type Remembered = BeforeHead & Pick<CompiledUnit, 'rules' | 'credentials'>

function remember(input: CompileConfig, { hash, bytes, pieces, rules, credentials }: Remembered) {
  const { index, unit } = input
  const ofIndex = knownAccess.get(index) ?? new Map<string, KnownAccess>()
  knownAccess.set(index, ofIndex)
  const mark = accessMarkOf(index, unit)
  ofIndex.set(unit, { hash, bytes, pieces, rules, credentials: credentials.length, mark, key: keyOf(input) })
}

/** Holders and credentials also depend on these. */
function keyOf({ secret, capacity, at }: CompileConfig) {
  return JSON.stringify([secret, capacity, new Date(at).toISOString().slice(0, 7)])
}
