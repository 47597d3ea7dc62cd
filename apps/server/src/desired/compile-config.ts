import { createHash, type Hash, hash as hashOf } from 'node:crypto'
import { credentialKey } from '@portcullis/controllers/credential-key'
import {
  type CompiledUnit,
  type CompileUnit,
  compileInSteps,
  compileTail,
} from '@portcullis/domain/configuration/compile-unit'
import {
  configEnd,
  configPieces,
  type ConfigPiece,
  isInTail,
  pieceSections,
  tailPieces,
} from '@portcullis/domain/configuration/config-text'
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
  /** By digest, of the pieces that were made: always those of the tail, and the others unless all of them are stored. */
  readonly texts: ReadonlyMap<string, string>
}

type CompileConfig = Omit<CompileUnit, 'hashNumber'> & {
  /** Of the unit, in Base64: the keys of its credentials depend on it. */
  readonly secret: string
  /** Pieces whose texts are stored. */
  readonly stored: readonly StoredPiece[]
}

/** The text of a configuration before its tail, hashed so far. */
type BeforeTail = { readonly hash: Hash; readonly bytes: number; readonly pieces: readonly StoredPiece[] }
type KnownHolders = BeforeTail &
  Pick<CompiledUnit, 'subjects' | 'basis'> & { readonly key: string; readonly credentials: number }

/** Of each unit the last ones that were compiled. They go with the policy. */
const knownHolders = new WeakMap<PolicyIndex, Map<string, KnownHolders>>()

/**
 * Compiles the configuration of a unit, as it is stored and sent, in slices between which other work runs. If no holder or
 * credential has changed since the last time, only the tail is compiled.
 */
export async function compileConfig(input: CompileConfig): Promise<NextConfig> {
  const known = knownHoldersFor(input)
  const compiled = known && compileTail(input, known)
  if (known === undefined || compiled === undefined) return runInSlices(wholeInSteps(input))
  return { ...withTail(known, tailPieces(compiled)), size: compiled.needs, leftOut: null }
}

function knownHoldersFor(input: CompileConfig): KnownHolders | undefined {
  const { index, unit, stored } = input
  const known = knownHolders.get(index)?.get(unit)
  if (known?.key !== keyOf(input)) return undefined
  // They are not if storing them has failed, or if another server has stored a version since.
  const digests = new Set(stored.map(({ digest }) => digest))
  return known.pieces.every(({ digest }) => digests.has(digest)) ? known : undefined
}

function* wholeInSteps(input: CompileConfig): Generator<undefined, NextConfig> {
  const compiled = yield* compileInSteps({ ...input, hashNumber: (number) => credentialKey(input.secret, number) })
  const made: MadeText = { hash: createHash('sha256'), bytes: 0, pieces: [], texts: new Map() }
  for (const piece of configPieces(compiled)) {
    if (isInTail(piece)) break
    addPiece(made, piece)
    yield
  }
  const leftOut = yield* leftOutItemsOf(compiled)
  if (leftOut === null) remember(input, { ...compiled, ...made })
  const { texts, ...rest } = withTail(made, tailPieces(compiled))
  return { ...rest, size: compiled.needs, leftOut, texts: new Map([...made.texts, ...texts]) }
}

function withTail({ hash, bytes, pieces }: BeforeTail, tail: Iterable<ConfigPiece>) {
  const whole: MadeText = { hash: hash.copy(), bytes, pieces: [...pieces], texts: new Map() }
  for (const piece of tail) addPiece(whole, piece)
  return {
    hash: whole.hash.update(configEnd).digest('hex'),
    bytes: whole.bytes + configEnd.length,
    pieces: whole.pieces,
    texts: whole.texts,
  }
}

type MadeText = {
  readonly hash: Hash
  bytes: number
  readonly pieces: StoredPiece[]
  readonly texts: Map<string, string>
}

function addPiece(made: MadeText, { section, before, text }: ConfigPiece) {
  const digest = hashOf('sha256', text, 'base64').slice(0, 22)
  const length = Buffer.byteLength(text)
  made.hash.update(before).update(text)
  made.bytes += before.length + length
  made.pieces.push({ section, digest, length })
  made.texts.set(digest, text)
}

type Remembered = BeforeTail & Pick<CompiledUnit, 'subjects' | 'basis' | 'credentials'>

function remember(input: CompileConfig, { hash, bytes, pieces, subjects, basis, credentials }: Remembered) {
  const { index, unit } = input
  const ofIndex = knownHolders.get(index) ?? new Map<string, KnownHolders>()
  knownHolders.set(index, ofIndex)
  ofIndex.set(unit, { hash, bytes, pieces, subjects, basis, credentials: credentials.length, key: keyOf(input) })
}

/** Holders and credentials also depend on these. */
function keyOf({ secret, capacity, at }: CompileConfig) {
  return JSON.stringify([secret, capacity, new Date(at).toISOString().slice(0, 7)])
}
