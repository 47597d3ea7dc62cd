import type { Database } from '@portcullis/server/database/database'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import { storedRecords } from '@portcullis/server/ingest/stored-records'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { interlockedDoor } from './estate.ts'
import type { ObservedRecords } from './observed-records.ts'

/** A unit measures the server's clock with half of an answer's time, which may take 10 s. */
const clockErrorMs = 5_000
/** From the command to its durable record. */
const recordingMs = 200

type Running = { database: Database; observed: ObservedRecords; units: readonly UnitState[] }

/** Why what must always hold does not. */
export async function brokenInvariants({ database, observed, units }: Running) {
  const stored = await storedFaults(database, observed)
  return [...stored, ...(await commandFaults(database, observed)), ...interlockFaults(units)]
}

/** Always: what was acknowledged is stored, once and in order. */
async function storedFaults(database: Database, observed: ObservedRecords) {
  const logs = Map.groupBy(await storedRecords(database), ({ log }) => log)
  const faults = [...logs].flatMap(([log, records]) => orderFaults(records).map((fault) => `${fault} of log ${log}`))
  for (const [log, upTo] of observed.acknowledged) {
    const last = logs.get(log)?.at(-1)?.seq ?? 0
    if (last < upTo) faults.push(`lost: acknowledged up to ${upTo}, stored up to ${last} of log ${log}`)
  }
  return faults
}

type Stored = Pick<Awaited<ReturnType<typeof storedRecords>>[number], 'seq' | 'event' | 'mark'>

/** Why the records of one log, by sequence, are not complete and in order. */
export function orderFaults(records: readonly Stored[]) {
  const faults = records.flatMap((record, index) => {
    const before = records[index - 1] ?? { seq: 0, event: '' }
    if (record.seq === before.seq) return [`stored twice: record ${record.seq}`]
    if (record.seq !== before.seq + 1) return [`lost: record ${before.seq + 1}`]
    return before.event < record.event ? [] : [`order: the event of record ${record.seq} has an earlier id`]
  })
  const last = records.at(-1)
  return last && last.mark !== last.seq ? [...faults, `the acknowledged sequence is ${last.mark}`] : faults
}

type UnitState = { unit: Pick<VirtualUnit, 'serial' | 'state'> }

/** Always: of the doors of an interlock, only one is unlocked. */
function interlockFaults(units: readonly UnitState[]) {
  const unlocked = units.flatMap(({ unit }) => {
    const doors = unit.state().running?.doors ?? []
    return doors.some(({ number, lock }) => number === interlockedDoor && lock === 'unlocked') ? [unit.serial] : []
  })
  return unlocked.length > 1 ? [`doors of one interlock are unlocked at ${unlocked.join(' and ')}`] : []
}

const commandRow = z.object({ id: z.uuid(), expiresAt: z.iso.datetime() })

/** Always: a command opens a door at most once, and not late. */
async function commandFaults(database: Database, observed: ObservedRecords) {
  if (observed.ran.size === 0) return []
  const rows = await database.rows(
    commandRow,
    sql`select unit_command_id as id, unit_command_expires_at as "expiresAt" from unit_command`,
  )
  return runFaults(observed.ran, new Map(rows.map(({ id, expiresAt }) => [id, Date.parse(expiresAt)])))
}

/** `ran`: by command, when it opened a door; `expiry`: by command. */
export function runFaults(ran: ReadonlyMap<string, readonly number[]>, expiry: ReadonlyMap<string, number>) {
  return [...ran].flatMap(([id, times]) => {
    const lateMs = Math.max(...times) - (expiry.get(id) ?? 0)
    return [
      ...(times.length > 1 ? [`command ${id} ran ${times.length} times`] : []),
      ...(lateMs > clockErrorMs + recordingMs ? [`command ${id} ran ${lateMs} ms after its end`] : []),
    ]
  })
}

const unitRow = z.object({
  serial: z.string(),
  status: z.string(),
  desired: z.int().nullable(),
  applied: z.int().nullable(),
})
const openRow = z.object({ count: z.number() })
const modeRow = z.object({ door: z.string(), desired: z.int(), applied: z.int() })

type Unit = { serial: string; pendingEvents: number | undefined; appliedVersion: number | null | undefined }

/** Some time after the last fault: why the installation is not in sync. */
export async function syncFaults(
  database: Database,
  { observed, units }: { observed: ObservedRecords; units: Unit[] },
) {
  const rows = await database.rows(
    unitRow,
    sql`select unit_serial as serial, unit_state_status as status, unit_state_desired_version as desired,
           unit_state_applied_version as applied
          from unit join unit_state on unit_state_id = unit_id`,
  )
  const open = await database.first(
    openRow,
    sql`select count(*) as count from unit_command where unit_command_status in ('requested', 'sent')`,
  )
  const modes = await database.rows(
    modeRow,
    sql`select door_name as door, door_mode_version as desired, door_state_applied_mode_version as applied
          from door join door_state on door_state_id = door_id
         where door_mode_version <> door_state_applied_mode_version`,
  )
  const stored = new Set((await storedRecords(database)).map(({ log, seq }) => `${log} ${seq}`))
  const missing = [...observed.durable].filter((key) => !stored.has(key))
  return [
    ...rows.flatMap(({ serial, status, desired, applied }) => {
      const unit = units.find((each) => each.serial === serial)
      const isInSync = status === 'online' && applied === desired && unit?.appliedVersion === desired
      return isInSync && unit.pendingEvents === 0
        ? []
        : [`${serial} is ${status}, desired ${desired}, applied ${applied}, unit ${JSON.stringify(unit)}`]
    }),
    ...(open?.count ? [`${open.count} commands are still open`] : []),
    ...modes.map(({ door, desired, applied }) => `mode of ${door}: desired ${desired}, applied ${applied}`),
    ...missing.map((key) => `written by a unit, but not stored: ${key}`),
  ]
}

const confirmedRow = z.object({ policy: z.number(), mode: z.int() })

/** The versions of the policy and of the door's mode that the server knows as applied by the door's unit; 0 if none. */
export async function confirmedVersions(database: Database, door: string) {
  const row = await database.first(
    confirmedRow,
    sql`select coalesce(unit_config_policy_version, 0) as policy, door_state_applied_mode_version as mode
          from door join door_state on door_state_id = door_id join unit_state on unit_state_id = door_unit
          left join unit_config on unit_config_unit = unit_state_id and unit_config_version = unit_state_applied_version
         where door_id = ${door}`,
  )
  return row ?? { policy: 0, mode: 0 }
}

/** The version of the latest change. */
export async function policyVersion(database: Database) {
  const row = await database.first(z.object({ version: z.number() }), sql`select policy_version as version from policy`)
  return row?.version ?? 0
}
