import type { ConfigDocument } from '@portcullis/domain/configuration/config-delta'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { type StoredPiece, storedPiece } from './compile-config.ts'

/** The event loop waits while the driver reads an answer of the database, or writes a statement. */
const bytesAtOnce = 2 * 1024 * 1024

export type PieceText = { readonly section: StoredPiece['section']; readonly text: string }

/** The pieces of a configuration that another one does not have. */
export function changedPieces(pieces: readonly StoredPiece[], others: readonly StoredPiece[]) {
  const digests = new Set(others.map(({ digest }) => digest))
  return pieces.filter(({ digest }) => !digests.has(digest))
}

export function bytesOf(pieces: readonly StoredPiece[]) {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

/** Null if an earlier release has stored the configuration, as one text. */
const versionRow = z.object({ version: z.int(), pieces: z.array(storedPiece).nullable() })
const versionColumns = sql`unit_config_version as version,
  case when unit_config_body is null then unit_config_pieces end as pieces`

/** The pieces of the latest stored configuration of a unit. */
export function latestPieces(database: Database, unit: string) {
  return database.first(
    versionRow,
    prepared(sql`select ${versionColumns}
      from unit_config where unit_config_unit = ${unit} order by unit_config_version desc limit 1`),
  )
}

export function piecesOfVersions(
  database: Database,
  { unit, versions }: { unit: string; versions: readonly number[] },
) {
  return database.rows(
    versionRow,
    prepared(sql`select ${versionColumns} from unit_config
      where unit_config_unit = ${unit} and unit_config_version = any(${[...versions]}::int[])`),
  )
}

type PiecesOfUnit = { unit: string; pieces: readonly StoredPiece[] }
const textRow = z.object({ digest: z.string(), text: z.string() })

/** The texts of these pieces, in their order; undefined if one is no longer stored. */
export async function readPieces(database: Database, { unit, pieces }: PiecesOfUnit): Promise<PieceText[] | undefined> {
  const texts = new Map<string, string>()
  for (const batch of batchesOf(pieces)) {
    const found = await database.rows(
      textRow,
      prepared(sql`select unit_config_piece_digest as digest, unit_config_piece_text as text from unit_config_piece
        where unit_config_piece_unit = ${unit} and unit_config_piece_digest = any(${digestsOf(batch)}::text[])`),
    )
    for (const { digest, text } of found) texts.set(digest, text)
  }
  const read = pieces.flatMap(({ section, digest }) => {
    const text = texts.get(digest)
    return text === undefined ? [] : [{ section, text }]
  })
  return read.length < pieces.length ? undefined : read
}

const digestRow = z.object({ digest: z.string() })

/** Those of the pieces whose texts are stored. */
export async function storedAmong(database: Database, { unit, pieces }: PiecesOfUnit) {
  const rows = await database.rows(
    digestRow,
    prepared(sql`select unit_config_piece_digest as digest from unit_config_piece
      where unit_config_piece_unit = ${unit} and unit_config_piece_digest = any(${digestsOf(pieces)}::text[])`),
  )
  const stored = new Set(rows.map(({ digest }) => digest))
  return pieces.filter(({ digest }) => stored.has(digest))
}

/** Stores the texts of pieces; those that are stored already stay. */
export async function storePieces(
  tx: Transaction,
  { unit, pieces, texts }: PiecesOfUnit & { texts: ReadonlyMap<string, string> },
) {
  for (const batch of batchesOf(pieces)) {
    await tx.run(
      prepared(sql`insert into unit_config_piece
          (unit_config_piece_unit, unit_config_piece_digest, unit_config_piece_text)
        select ${unit}::uuid, digest, text
          from unnest(${digestsOf(batch)}::text[], ${batch.map(({ digest }) => textOf(texts, digest))}::text[]) as made (digest, text)
        on conflict do nothing`),
    )
  }
}

export function textOf(texts: ReadonlyMap<string, string>, digest: string): string {
  const text = texts.get(digest)
  if (text === undefined) throw new Error('the text of a piece of a configuration is missing')
  return text
}

function digestsOf(pieces: readonly StoredPiece[]) {
  return pieces.map(({ digest }) => digest)
}

function batchesOf(pieces: readonly StoredPiece[]) {
  const batches: StoredPiece[][] = []
  let bytes = Infinity
  for (const piece of pieces) {
    if (bytes + piece.length > bytesAtOnce) {
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
  const sections = { head: {}, holders: {}, credentials: {}, access: {} }
  for (const { section, text } of texts) {
    Object.assign(sections[section], entries.parse(JSON.parse(`{${text}}`)))
    yield
  }
  const { head, ...long } = sections
  return { ...long, ...head }
}
