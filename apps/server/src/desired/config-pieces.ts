import type { ConfigDocument } from '@portcullis/domain/configuration/config-delta'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { type BodyPiece, bodyPiece } from './config-body.ts'

/** The event loop waits while the driver reads an answer of the database, and each answer reads the whole body there. */
const bytesOfAnswer = 2 * 1024 * 1024

const pieceText = z.object({ section: bodyPiece.shape.section, text: z.string() })
export type PieceText = z.output<typeof pieceText>

/** The pieces of a configuration that another one does not have. */
export function changedPieces(pieces: readonly BodyPiece[], others: readonly BodyPiece[]) {
  const digests = new Set(others.map(({ digest }) => digest))
  return pieces.filter(({ digest }) => !digests.has(digest))
}

/** How many bytes of the body these pieces are. */
export function bytesOf(pieces: readonly BodyPiece[]) {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

type ReadPieces = { unit: string; version: number; pieces: readonly BodyPiece[] }

/**
 * The texts of these pieces of a stored configuration, without the rest of its body, which can have tens of megabytes.
 * Undefined if it is no longer stored.
 */
export async function readPieces(
  database: Database,
  { unit, version, pieces }: ReadPieces,
): Promise<PieceText[] | undefined> {
  const texts: PieceText[] = []
  for (const batch of batchesOf(pieces)) {
    const [sections, starts, lengths] = [
      batch.map(({ section }) => section),
      batch.map(({ at }) => at + 1),
      batch.map(({ length }) => length),
    ]
    // The concatenation reads the compressed body once for all of its pieces.
    const ranges = prepared(sql`select section, convert_from(substring(body from start for length), 'utf8') as text
      from (select unit_config_body || ''::bytea as body from unit_config
             where unit_config_unit = ${unit} and unit_config_version = ${version} offset 0) as stored,
           unnest(${sections}::text[], ${starts}::int[], ${lengths}::int[]) as piece (section, start, length)`)
    texts.push(...(await database.rows(pieceText, ranges)))
  }
  return texts.length < pieces.length ? undefined : texts
}

function batchesOf(pieces: readonly BodyPiece[]) {
  const batches: BodyPiece[][] = []
  let bytes = Infinity
  for (const piece of pieces) {
    if (bytes + piece.length > bytesOfAnswer) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(piece)
    bytes += piece.length
  }
  return batches
}

const entries = z.record(z.string(), z.unknown())

/** The document that has only the entries of these pieces, in short steps. */
export function* documentOf(texts: readonly PieceText[]): Generator<undefined, ConfigDocument> {
  const sections = { head: {}, holders: {}, credentials: {} }
  for (const { section, text } of texts) {
    Object.assign(sections[section], entries.parse(JSON.parse(`{${text}}`)))
    yield
  }
  const { head, ...long } = sections
  return { ...head, ...long }
}
