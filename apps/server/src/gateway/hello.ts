import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { isSigned } from '@portcullis/controllers/keys'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { UnitRefused } from '../ingest/refusal.ts'

export type HelloFrame = Extract<UnitFrame, { type: 'hello' }>

const unitRow = z.object({
  name: z.string(),
  serial: z.string(),
  publicKey: z.instanceof(Buffer),
  inService: z.boolean(),
  root: z.int(),
})

/** Whether a unit proves its identity: its id is enrolled and its key has signed this connection's nonce. */
export async function identify(database: Database, { frame, nonce }: { frame: HelloFrame; nonce: string }) {
  const { unit, serial, signature } = frame
  const row = await database.asSystem((tx) =>
    tx.first(
      unitRow,
      sql`select unit_name as name, unit_serial as serial, unit_secret_public_key as "publicKey",
             unit_in_service as "inService", account_root as root
            from unit join unit_secret on unit_secret_unit = unit_id join account on account_key = unit_account
           where unit_id = ${unit}`,
    ),
  )
  if (!row) throw new UnitRefused('unknown_unit')
  const publicKey = row.publicKey.toString('base64')
  if (!isSigned({ publicKey, text: helloText({ nonce, unit }), signature }))
    throw new UnitRefused('bad_signature', { unit })
  if (row.serial !== serial) throw new UnitRefused('serial_mismatch', { detail: `This unit says ${serial}.`, unit })
  return { unit, name: row.name, publicKey, inService: row.inService, root: row.root }
}

const standingRow = z.object({
  unit: z.uuid(),
  publicKey: z.instanceof(Buffer).transform((key) => key.toString('base64')),
  inService: z.boolean(),
  version: z.int().nullable(),
})
export type Standing = z.output<typeof standingRow>

/** The current key, service and desired version of these units. Those that were deleted or revoked are missing. */
export async function standingsOf(database: Database, units: readonly string[]) {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      standingRow,
      sql`select unit_id as unit, unit_secret_public_key as "publicKey", unit_in_service as "inService",
             unit_state_desired_version as version
            from unit join unit_secret on unit_secret_unit = unit_id join unit_state on unit_state_id = unit_id
           where unit_id = any(${[...units]}::uuid[])`,
    ),
  )
  return new Map(rows.map((row) => [row.unit, row]))
}
