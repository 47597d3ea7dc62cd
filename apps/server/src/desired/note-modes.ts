import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { GatheredWork } from '../limits/gathered-work.ts'
import { type AppliedFrame, type DesiredMode, isDesired, publishDoors, readModes, stateOfDoor } from './door-modes.ts'

/** Modes that were sent to a unit now, by door number, or the unit's report of one. */
export type ModeProgress = { unit: string; sent: readonly number[] } | { unit: string; applied: AppliedFrame }

/** A statement that is much longer would delay the units that wait for the next one. */
const mostAtOnce = 1_000

/**
 * Stores the progress of all units together: a lockdown of many doors would otherwise be as many transactions. Returns
 * whether it was stored. What was not is stored alone: it changes more than a confirmation, its door is locked at the
 * moment, or another one has made the whole statement fail.
 */
export function makeNoteModes({ database, log }: { database: Pick<Database, 'asSystem'>; log: FastifyBaseLogger }) {
  const work = (progress: readonly ModeProgress[]) => database.asSystem((tx) => noteTogether(tx, progress))
  const gathered = new GatheredWork(work, mostAtOnce)
  return (progress: ModeProgress) =>
    gathered.add(progress).catch((error: unknown) => {
      log.warn({ err: error }, 'storing modes together failed; storing each alone')
      return false
    })
}

async function noteTogether(tx: Transaction, progress: readonly ModeProgress[]) {
  const reports = progress.flatMap((each) => ('applied' in each ? [each] : []))
  const sent = progress.flatMap((each) => ('sent' in each ? each.sent.map((door) => ({ unit: each.unit, door })) : []))
  const [modes, sentDoors] = await Promise.all([
    readModes(tx, [...new Set(reports.map(({ unit }) => unit))]),
    storeSent(tx, sent),
  ])
  const desired = new Map(modes.map((mode) => [portOf(mode), mode]))
  const confirms = ({ unit, applied }: (typeof reports)[number]) => {
    const mode = desired.get(portOf({ unit, door: applied.door }))
    return mode && isDesired(applied, mode) ? mode : undefined
  }
  const unstored = reports.flatMap((report) => confirms(report) ?? []).filter(({ isApplied }) => !isApplied)
  const confirmed = await storeConfirmed(tx, unstored)
  const changed = new Map([...sentDoors, ...confirmed].map(({ item, account }) => [item, { item, account }]))
  await publishDoors(tx, [...changed.values()])
  const ports = new Set(sentDoors.map(portOf))
  const doors = new Set(confirmed.map(({ item }) => item))
  const isStored = (mode: DesiredMode | undefined) =>
    mode !== undefined && (mode.isApplied || (mode.doorId !== null && doors.has(mode.doorId)))
  return progress.map((each) =>
    'applied' in each
      ? isStored(confirms(each))
      : each.sent.every((door) => ports.has(portOf({ unit: each.unit, door }))),
  )
}

type Port = { unit: string; door: number }

function portOf({ unit, door }: Port) {
  return `${unit} ${door}`
}

/** Locked rows are left out: no unit waits for the door of another. */
function storeSent(tx: Transaction, ports: readonly Port[]) {
  return tx.rows(
    stateOfDoor.extend({ unit: z.uuid(), door: z.int() }),
    sql`update door_state set door_state_mode_sent_at = now() from (
          select door_state_id as id, unit, number
            from unnest(${ports.map(({ unit }) => unit)}::uuid[], ${ports.map(({ door }) => door)}::int[])
                   as sent (unit, number)
            join door on door_unit = unit and door_unit_door = number join door_state on door_state_id = door_id
             for no key update of door_state skip locked) sent
         where door_state_id = id
        returning door_state_id as item, door_state_account as account, unit, number as door`,
  )
}

async function storeConfirmed(tx: Transaction, modes: readonly DesiredMode[]) {
  if (modes.length === 0) return []
  return tx.rows(
    stateOfDoor,
    sql`update door_state set door_state_applied_mode_version = version, door_state_mode_applied_at = now() from (
          select door_state_id as id, version
            from unnest(${modes.map(({ doorId }) => doorId)}::uuid[], ${modes.map(({ version }) => version)}::int[])
                   as confirmed (door, version)
            join door on door_id = confirmed.door and door_mode_version = version
            join door_state on door_state_id = door_id
             for no key update of door_state skip locked) confirmed
         where door_state_id = id
        returning door_state_id as item, door_state_account as account`,
  )
}
