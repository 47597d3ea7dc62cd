import type { SentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { diffInSteps } from '@portcullis/domain/configuration/config-delta'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { prepared } from '../database/prepared-statements.ts'
import type { Database } from '../database/database.ts'
import { runInSlices } from '../time-slices.ts'
import { type BodyPiece, bodyPiece } from './config-body.ts'
import { bytesOf, changedPieces, documentOf, type PieceText, readPieces } from './config-pieces.ts'

/** Of the pieces that differ; more is not read. */
const mostChangedBytes = 4 * 1024 * 1024
const mostDeltaBytes = 2 * 1024 * 1024

const latestRow = z.object({ version: z.int(), pieces: z.array(bodyPiece).nullable() })

type NextConfig = { body: Buffer; hash: string; pieces: readonly BodyPiece[] }

/**
 * The delta from the latest stored configuration of a unit to this one, as JSON text. Undefined if there is none, or if it
 * has more than half of the bytes of the whole. Only the pieces that differ are read from the database: the bodies of a
 * unit with many credentials have tens of megabytes.
 */
export async function deltaFromLatest(
  database: Database,
  { unit, next }: { unit: string; next: NextConfig },
): Promise<{ base: number; delta: Buffer } | undefined> {
  const latest = await database.first(latestRow, latestConfig(unit))
  if (!latest?.pieces) return undefined
  const [before, after] = [changedPieces(latest.pieces, next.pieces), changedPieces(next.pieces, latest.pieces)]
  if (bytesOf(before) > mostChangedBytes || bytesOf(after) > mostChangedBytes) return undefined
  const { version: base } = latest
  const read = await readPieces(database, { unit, version: base, pieces: before })
  if (!read) return undefined
  const text = await runInSlices(deltaInSteps({ before: read, after, next }))
  const delta = Buffer.from(text)
  return delta.length <= Math.min(mostDeltaBytes, next.body.length / 2) ? { base, delta } : undefined
}

function latestConfig(unit: string) {
  return prepared(sql`select unit_config_version as version, unit_config_pieces as pieces
    from unit_config where unit_config_unit = ${unit} order by unit_config_version desc limit 1`)
}

type DeltaInput = { before: readonly PieceText[]; after: readonly BodyPiece[]; next: NextConfig }

/** What both configurations have in common is in neither of the documents that are compared, except the head. */
function* deltaInSteps({ before, after, next: { body, hash, pieces } }: DeltaInput) {
  const textOf = ({ section, at, length }: BodyPiece) => ({
    section,
    text: body.toString('utf8', at, at + length),
  })
  const isHead = ({ section }: Pick<BodyPiece, 'section'>) => section === 'head'
  const head = pieces.filter(isHead).map(textOf)
  const nextDocument = yield* documentOf([...head, ...after.filter((piece) => !isHead(piece)).map(textOf)])
  const baseDocument = yield* documentOf(before.some(isHead) ? before : [...head, ...before])
  const delta: SentDelta = { hash, ...(yield* diffInSteps(baseDocument, nextDocument)) }
  return JSON.stringify(delta)
}
