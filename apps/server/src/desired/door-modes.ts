import { isDeepStrictEqual } from 'node:util'
import { highestDoorNumber } from '@portcullis/contract/unit-capacity'
import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { doorModeText, mayPassText, modeOfDoorText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type KeyPair, signText } from '@portcullis/controllers/keys'
import { mayPassAt } from '@portcullis/domain/decision/lockdown-exceptions'
import { doorModes } from '@portcullis/domain/policy'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'

const lockdowns = z.array(z.object({ _id: z.string(), name: z.string(), mayPass: z.array(z.uuid()).exactOptional() }))

const modeRow = z.object({
  unit: z.uuid(),
  door: z.int(),
  /** Null for a free port, which returns to normal. */
  doorId: z.uuid().nullable(),
  version: z.int(),
  mode: z.enum(doorModes),
  until: z.iso.datetime().nullable(),
  lockdowns,
  isApplied: z.boolean(),
})
export type DesiredMode = z.output<typeof modeRow>

/** The desired modes of a unit's ports: of each door for which one was ever set, and of free ports. */
export function modesOf(database: Database, unit: string) {
  return database.asSystem((tx) => readModes(tx, [unit]))
}

/** The desired modes that have not been confirmed, of the ports of these units or at these doors, by unit. */
export async function unconfirmedModes(
  database: Database,
  among: { units: readonly string[] } | { doors: readonly string[] },
) {
  const isAmong = (unit: Sql, door: Sql) =>
    'doors' in among ? sql`${door} = any(${[...among.doors]}::uuid[])` : sql`${unit} = any(${[...among.units]}::uuid[])`
  const modes = await database.rows(
    modeRow,
    selectModes({
      ofDoor: sql`${isAmong(sql`door_unit`, sql`door_id`)} and door_unit is not null
        and door_mode_version <> door_state_applied_mode_version`,
      ofPort: sql`${isAmong(sql`free_port_unit`, sql`free_port_door`)}
        and free_port_mode_version <> free_port_applied_mode_version`,
    }),
  )
  return Map.groupBy(modes, ({ unit }) => unit)
}

export function readModes(tx: Transaction, units: readonly string[]) {
  const isOf = (unit: Sql) => sql`${unit} = any(${[...units]}::uuid[])`
  return tx.rows(modeRow, selectModes({ ofDoor: isOf(sql`door_unit`), ofPort: isOf(sql`free_port_unit`) }))
}

function selectModes({ ofDoor, ofPort }: { ofDoor: Sql; ofPort: Sql }) {
  // A unit's report may have stored a port as free while a door took it.
  return sql`select door_unit as unit, door_unit_door as door, door_id as "doorId", door_mode_version as version,
           door_mode as mode, door_mode_until as until, door_lockdowns as lockdowns,
           door_mode_version = door_state_applied_mode_version as "isApplied"
          from door join door_state on door_state_id = door_id
         where ${ofDoor} and door_unit_door is not null and door_mode_version > 0
        union all
        select free_port_unit, free_port_number, null, free_port_mode_version, 'normal', null, '[]',
               free_port_mode_version = free_port_applied_mode_version
          from free_port where ${ofPort} and not exists (select from door
               where door_unit = free_port_unit and door_unit_door = free_port_number)
        order by door`
}

/** The signed frame for the unit. */
export function modeFrame({ desired, key }: { desired: DesiredMode; key: KeyPair }): ServerFrame {
  const { unit, door, doorId, version, mode, until } = desired
  const text = { unit, door, doorId, version, mode, until }
  const signature = signText(key.privateKey, doorModeText(text))
  const doorSignature = signText(key.privateKey, modeOfDoorText(text))
  const frame = { type: 'doorMode', door, doorId, version, mode, until, signature, doorSignature } as const
  const mayPass = mayPassAt(desired)?.map((groups) => [...groups])
  if (!mayPass) return frame
  const mayPassSignature = signText(key.privateKey, mayPassText({ unit, door, doorId, version, mayPass }))
  return { ...frame, mayPass, mayPassSignature }
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

export type AppliedFrame = Omit<Extract<UnitFrame, { type: 'doorModeApplied' }>, 'type'>

/**
 * The controller's latest report replaces its earlier ones. If it has stored another mode than the desired one, with a
 * version that is not lower, the desired mode gets a higher version and must be sent again, if `mayRaise` permits it.
 */
export function noteModeApplied(
  database: Database,
  { unit, mayRaise, ...applied }: AppliedFrame & { unit: string; mayRaise: () => boolean },
) {
  const { door, version } = applied
  return database.asSystem(async (tx): Promise<'noted' | 'raised'> => {
    const desired = (await readModes(tx, [unit])).find((each) => each.door === door)
    if (desired && isDesired(applied, desired)) {
      if (!desired.isApplied) await storeApplied(tx, { unit, door, version })
      return 'noted'
    }
    if (version < (desired?.version ?? 1) || !mayRaise()) return 'noted'
    await raiseVersion(tx, { unit, door, version })
    return 'raised'
  })
}

/** Versions that a unit reports at its hello: the desired modes continue above them, for example in a restored database. */
export function continueAbove(
  database: Database,
  { unit, stored }: { unit: string; stored: readonly StoredVersion[] },
) {
  return database.asSystem(async (tx) => {
    const modes = await readModes(tx, [unit])
    for (const { door, version } of stored) {
      const desired = modes.find((each) => each.door === door)
      if (version > (desired?.version ?? 0)) await raiseVersion(tx, { unit, door, version })
    }
  })
}

/** A controller that does not report who may pass lets fewer users pass than desired, or as many. */
export function isDesired({ version, stored }: AppliedFrame, desired: DesiredMode) {
  if (version !== desired.version) return false
  if (!stored) return true
  const { doorId, mode, until, mayPass } = stored
  if (mayPass && !isDeepStrictEqual(mayPass, mayPassAt(desired))) return false
  return doorId === desired.doorId && mode === desired.mode && momentOf(until) === momentOf(desired.until)
}

/** A controller may write the same moment in another way. */
function momentOf(time: string | null) {
  return time === null ? null : Date.parse(time)
}

async function storeApplied(tx: Transaction, { unit, door, version }: StoredVersion & { unit: string }) {
  const confirmed = await tx.rows(
    stateOfDoor,
    sql`update door_state set door_state_applied_mode_version = ${version}, door_state_mode_applied_at = now()
          from door
         where door_state_id = door_id and door_unit = ${unit} and door_unit_door = ${door}
           and door_mode_version = ${version}
        returning door_state_id as item, door_state_account as account`,
  )
  await publishDoors(tx, confirmed)
  await tx.run(sql`update free_port set free_port_applied_mode_version = ${version}
    where free_port_unit = ${unit} and free_port_number = ${door} and free_port_mode_version = ${version}`)
}

type StoredVersion = { door: number; version: number }

/** A unit that reports more has not counted modes; the next billion versions stay free for those that users set. */
const highestReported = 2 ** 30

/** Gives the mode of a port a version above the one that its unit has stored. */
async function raiseVersion(tx: Transaction, { unit, door, version }: StoredVersion & { unit: string }) {
  if (version > highestReported || door > highestDoorNumber) return
  const raised = await tx.rows(
    stateOfDoor,
    sql`update door set door_mode_version = ${version} + 1, door_mode_set_at = now()
         where door_unit = ${unit} and door_unit_door = ${door} and door_mode_version <= ${version}
        returning door_id as item, door_account as account`,
  )
  await publishDoors(tx, raised)
  await tx.run(sql`insert into free_port (free_port_unit, free_port_number, free_port_mode_version)
    select ${unit}, ${door}, ${version} + 1
     where not exists (select from door where door_unit = ${unit} and door_unit_door = ${door})
    on conflict (free_port_unit, free_port_number) do update set free_port_mode_version = excluded.free_port_mode_version
     where free_port.free_port_mode_version < excluded.free_port_mode_version`)
}

export const stateOfDoor = z.object({ item: z.uuid(), account: z.int() })

export function publishDoors(tx: Transaction, doors: readonly z.output<typeof stateOfDoor>[]) {
  return recordChanges(
    tx,
    doors.map((change) => ({ ...change, collection: 'doors', action: 'save', isPolicy: false })),
  )
}
