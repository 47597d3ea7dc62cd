import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { doorModeText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type KeyPair, signText } from '@portcullis/controllers/keys'
import { doorModes } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'

const modeRow = z.object({
  door: z.int(),
  version: z.int(),
  mode: z.enum(doorModes),
  until: z.iso.datetime().nullable(),
  isApplied: z.boolean(),
})
export type DesiredMode = z.output<typeof modeRow>

/** The desired mode of each door of a unit for which one was ever set. */
export function modesOf(database: Database, unit: string) {
  return database.asSystem((tx) =>
    tx.rows(
      modeRow,
      sql`select door_unit_door as door, door_mode_version as version, door_mode as mode, door_mode_until as until,
             door_mode_version = door_state_applied_mode_version as "isApplied"
            from door join door_state on door_state_id = door_id
           where door_unit = ${unit} and door_unit_door is not null and door_mode_version > 0
           order by door_unit_door`,
    ),
  )
}

/** The signed frame for the unit. */
export function modeFrame({ unit, desired, key }: { unit: string; desired: DesiredMode; key: KeyPair }): ServerFrame {
  const { door, version, mode, until } = desired
  const signature = signText(key.privateKey, doorModeText({ unit, door, version, mode, until }))
  return { type: 'doorMode', door, version, mode, until, signature }
}

/** Records which modes were sent now, so that a user who waits sees them as sent. */
export function noteModesSent(database: Database, { unit, doors }: { unit: string; doors: readonly number[] }) {
  return database.asSystem(async (tx) => {
    const sent = await tx.rows(
      stateOfDoor,
      sql`update door_state set door_state_mode_sent_at = now() from door
           where door_state_id = door_id and door_unit = ${unit} and door_unit_door = any(${[...doors]}::int[])
          returning door_state_id as item, door_state_account as account`,
    )
    await publishDoors(tx, sent)
  })
}

type Confirmed = { unit: string; door: number; version: number }

/** The controller's latest report replaces its earlier ones. */
export function noteModeApplied(database: Database, { unit, door, version }: Confirmed) {
  return database.asSystem(async (tx) => {
    const confirmed = await tx.rows(
      stateOfDoor,
      sql`update door_state set door_state_applied_mode_version = ${version}, door_state_mode_applied_at = now()
            from door
           where door_state_id = door_id and door_unit = ${unit} and door_unit_door = ${door}
             and door_mode_version >= ${version} and door_state_applied_mode_version < ${version}
          returning door_state_id as item, door_state_account as account`,
    )
    await publishDoors(tx, confirmed)
  })
}

const stateOfDoor = z.object({ item: z.uuid(), account: z.int() })

function publishDoors(tx: Transaction, doors: readonly z.output<typeof stateOfDoor>[]) {
  return recordChanges(
    tx,
    doors.map((change) => ({ ...change, collection: 'doors', action: 'save', isPolicy: false })),
  )
}

/** Which of these units have doors with a desired mode that they have not confirmed. */
export async function unitsWithModes(
  database: Database,
  { units, doors }: { units: readonly string[]; doors?: readonly string[] },
) {
  const among = doors === undefined ? sql`` : sql`and door_id = any(${[...doors]}::uuid[])`
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ unit: z.uuid() }),
      sql`select distinct door_unit as unit from door join door_state on door_state_id = door_id
           where door_unit = any(${[...units]}::uuid[]) and door_unit_door is not null and door_mode_version > 0
             and door_mode_version > door_state_applied_mode_version ${among}`,
    ),
  )
  return rows.map(({ unit }) => unit)
}
