import type { SentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { diffInSteps } from '@portcullis/domain/configuration/config-delta'
import type { Database } from '../database/database.ts'
import { runInSlices } from '../time-slices.ts'
import type { NextConfig, StoredPiece } from './compile-config.ts'
import { bytesOf, changedPieces, documentOf, type PieceText, readPieces, textOf } from './config-pieces.ts'

/** Of the pieces that differ; more is not read. */
const mostChangedBytes = 4 * 1024 * 1024
const mostDeltaBytes = 2 * 1024 * 1024

type DeltaFromLatest = {
  unit: string
  latest: { readonly version: number; readonly pieces: readonly StoredPiece[] | null }
  /** With the texts of the pieces that the latest does not have. */
  next: NextConfig
}

/**
 * The delta from the latest stored configuration of a unit to this one, as JSON text. Undefined if there is none, or if it
 * has more than half of the bytes of the whole. Only the pieces that differ are read from the database: the configuration
 * of a unit with many credentials has tens of megabytes.
 */
export async function deltaFromLatest(
  database: Database,
  { unit, latest, next }: DeltaFromLatest,
): Promise<{ base: number; delta: Buffer } | undefined> {
  if (!latest.pieces) return undefined
  // What was added is in the delta, so it would be too long.
  if (bytesOf(next.pieces) - bytesOf(latest.pieces) > next.bytes / 2) return undefined
  const [before, after] = [changedPieces(latest.pieces, next.pieces), changedPieces(next.pieces, latest.pieces)]
  if (bytesOf(before) > mostChangedBytes || bytesOf(after) > mostChangedBytes) return undefined
  const read = await readPieces(database, { unit, pieces: before })
  if (!read) return undefined
  const delta = Buffer.from(await runInSlices(deltaInSteps({ before: read, after, next })))
  const { version: base } = latest
  return delta.length <= Math.min(mostDeltaBytes, next.bytes / 2) ? { base, delta } : undefined
}

type DeltaInput = { before: readonly PieceText[]; after: readonly StoredPiece[]; next: NextConfig }

/** What both configurations have in common is in neither of the documents that are compared, except the head. */
function* deltaInSteps({ before, after, next: { texts, hash, pieces } }: DeltaInput) {
  const pieceText = ({ section, digest }: StoredPiece) => ({ section, text: textOf(texts, digest) })
  const isHead = ({ section }: Pick<StoredPiece, 'section'>) => section === 'head'
  const head = pieces.filter(isHead).map(pieceText)
  const nextDocument = yield* documentOf([...after.filter((piece) => !isHead(piece)).map(pieceText), ...head])
  const baseDocument = yield* documentOf(before.some(isHead) ? before : [...before, ...head])
  const delta: SentDelta = { hash, ...(yield* diffInSteps(baseDocument, nextDocument)) }
  return JSON.stringify(delta)
}
