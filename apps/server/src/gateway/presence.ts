import { heartbeatAnswerSeconds } from '@portcullis/contract/calls/units'
import { isDeepStrictEqual } from 'node:util'
import { fitsInto, type UnitCapacity, unitCapacity } from '@portcullis/contract/unit-capacity'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import type { EventDelay } from '../ingest/event-delay.ts'
import { conditionColumns, followConditions, storedConditions } from '../ingest/unit-conditions.ts'
import { storeUnitEvents, recordUnitChanges } from '../ingest/unit-events.ts'
import { waitBriefly } from './shared-interlocks.ts'

/** How long a server owns a unit's connection without renewing; it renews every three seconds. */
const leaseSeconds = 10

const before = z.object({ status: z.string(), account: z.int(), compiledCapacity: unitCapacity.nullable() })

type Arrival = {
  unit: string
  holder: string
  /** The nonce of the hello. */
  connection: string
  address: string
  firmware: string | undefined
  capacity: UnitCapacity | undefined
  takesDeltas: boolean
  clockOffsetMs: number
  appliedVersion: number | null
}

/** `compiles`: its configuration is compiled after its enrolment (`now`), or for another capacity (`seldom`). */
type Arrived = { account: number; compiles: 'now' | 'seldom' | 'no' }

/**
 * Takes the lease of a unit's one connection and reports the unit as online. Returns `held` where another live server
 * holds it.
 */
export function arrive(database: Database, { unit, holder, clockOffsetMs, ...reported }: Arrival) {
  return database.asSystem(async (tx): Promise<Arrived | 'held'> => {
    // Claims and reports of its interlocks lock the key.
    const state = await lockState(tx, { unit, lock: sql`update` })
    if (!state) return 'held'
    const taken = await tx.first(
      storedConditions,
      sql`update unit_state set unit_state_status = 'online', unit_state_last_heartbeat_at = now(),
             unit_state_connection = ${reported.connection}, unit_state_firmware = ${reported.firmware ?? null}, unit_state_address = ${reported.address},
             unit_state_clock_offset_ms = ${clockOffsetMs},
             unit_state_capacity = ${reported.capacity ? JSON.stringify(reported.capacity) : null}::jsonb,
             unit_state_takes_deltas = ${reported.takesDeltas},
             unit_state_capacity_exceeded_seen_at = case when unit_state_capacity is not distinct from
               ${reported.capacity ? JSON.stringify(reported.capacity) : null}::jsonb then unit_state_capacity_exceeded_seen_at end,
             unit_state_applied_version = ${appliedUnlessDesired(reported.appliedVersion)},
             unit_state_lease_holder = ${holder}, unit_state_lease_until = ${leaseEnd}
           where unit_state_id = ${unit}
             and (unit_state_lease_holder is null or unit_state_lease_holder = ${holder} or unit_state_lease_until < now()
               or pg_try_advisory_xact_lock_shared(hashtextextended(unit_state_lease_holder::text, 0)))
          returning ${conditionColumns}`,
    )
    if (!taken) return 'held'
    waitBriefly(tx)
    // The unit reports its doors again; one that no longer asks for a door does not.
    await tx.run(
      sql`delete from interlock_state where interlock_state_door in (
            select interlock_state_door from interlock_state where interlock_state_unit = ${unit}
             order by interlock_state_door for update)`,
    )
    if (state.status === 'online') await recordUnitChanges(tx, [{ unit, account: state.account }])
    else await storeUnitEvents(tx, { units: [unit], type: 'unit.online' })
    await followConditions(tx, taken)
    return { account: state.account, compiles: compilesFor(taken, state.compiledCapacity) }
  })
}

type Measured = Pick<z.output<typeof storedConditions>, 'configSize' | 'capacity'>

/** A configuration that fits before and after does not depend on the capacity. */
function compilesFor({ configSize, capacity }: Measured, before: UnitCapacity | null): Arrived['compiles'] {
  if (configSize === null) return 'now'
  const fits = fitsInto(configSize, before) && fitsInto(configSize, capacity)
  return fits || isDeepStrictEqual(before, capacity) ? 'no' : 'seldom'
}

type Heartbeat = EventDelay & {
  unit: string
  holder: string
  clockOffsetMs: number
  pendingEvents: number
  /** The request that it answers. */
  request: string | undefined
  tampered: boolean | undefined
  onBattery: boolean | undefined
}

/** The backfill ends when nothing old has come from one heartbeat to the next; the delay is known at the next live event. */
export function noteHeartbeat(database: Database, { unit, holder, clockOffsetMs, ...reported }: Heartbeat) {
  return database.asSystem(async (tx) => {
    const state = await lockState(tx, { unit, lock: sql`no key update` })
    if (!state) return
    const stored = await tx.first(
      storedConditions,
      sql`update unit_state set unit_state_last_heartbeat_at = now(), unit_state_clock_offset_ms = ${clockOffsetMs},
             unit_state_pending_events = ${reported.pendingEvents}, unit_state_backfilled_up_to = ${reported.backfilledUpTo},
             unit_state_event_delay_ms = coalesce(${reported.eventDelayMs}, unit_state_event_delay_ms),
             unit_state_tampered_since = ${sinceWhile(reported.tampered, sql`unit_state_tampered_since`)},
             unit_state_on_battery_since = ${sinceWhile(reported.onBattery, sql`unit_state_on_battery_since`)},
             unit_state_heartbeat_answered_at = case when unit_state_heartbeat_request = ${reported.request ?? null}::uuid
               then coalesce(unit_state_heartbeat_answered_at, clock_timestamp()) else unit_state_heartbeat_answered_at end
           where unit_state_id = ${unit} and unit_state_lease_holder = ${holder}
          returning ${conditionColumns}`,
    )
    await recordUnitChanges(tx, [{ unit, account: state.account }])
    if (stored) await followConditions(tx, stored)
  })
}

/** When a condition that the unit reports began; a unit that does not report it does not have it. */
function sinceWhile(isReported: boolean | undefined, since: Sql) {
  return sql`case when ${isReported ?? false}::boolean then coalesce(${since}, now()) end`
}

export const openRequest = z.object({ id: z.uuid() })

/** The heartbeat request that a unit has not answered and that a user still waits for. */
export function openHeartbeatRequest(unit: string) {
  return sql`select unit_state_heartbeat_request as id from unit_state
    where unit_state_id = ${unit} and unit_state_heartbeat_answered_at is null
      and unit_state_heartbeat_requested_at > now() - make_interval(secs => ${heartbeatAnswerSeconds})`
}

/** Reports that this connection of a unit ended, unless the unit has already connected again, here or at another server. */
export function leave(
  database: Database,
  { unit, holder, connection }: Pick<Arrival, 'unit' | 'holder' | 'connection'>,
) {
  return endPresence(
    database,
    sql`unit_state_id = ${unit} and unit_state_lease_holder = ${holder} and unit_state_connection = ${connection}`,
  )
}

/** Reports units whose server is gone and that have not reconnected; any server may find them. */
export function sweepAbsent(database: Database) {
  return endPresence(database, sql`unit_state_status = 'online' and unit_state_lease_until < now()`)
}

/** Renews the leases of the connections here; returns the units that are still ours. */
export async function renewLeases(database: Database, { holder, units }: { holder: string; units: readonly string[] }) {
  if (units.length === 0) return new Set<string>()
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ unit: z.uuid() }),
      // Rows are locked in the order of their ids, as in compile-job.ts: two servers cannot deadlock.
      sql`update unit_state set unit_state_lease_until = ${leaseEnd}
            from (select unit_state_id as id from unit_state
                   where unit_state_lease_holder = ${holder} and unit_state_id = any(${[...units]}::uuid[])
                   order by unit_state_id for no key update) renewed
           where unit_state_id = renewed.id
          returning unit_state_id as unit`,
    ),
  )
  return new Set(rows.map(({ unit }) => unit))
}

/** The server stops: its units may connect elsewhere at once, and are offline only if they do not. */
export function releaseLeases(database: Database, holder: string) {
  return database.asSystem((tx) =>
    tx.run(
      sql`update unit_state set unit_state_lease_holder = null, unit_state_lease_until = ${leaseEnd}
           where unit_state_lease_holder = ${holder}`,
    ),
  )
}

/** When a desired version was applied is reported with its time, when the configuration is read. */
function appliedUnlessDesired(version: number | null) {
  return sql`case when unit_state_desired_version = ${version}::int then unit_state_applied_version else ${version}::int end`
}

const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`

function endPresence(database: Database, condition: Sql) {
  return database.asSystem(async (tx) => {
    const rows = await tx.rows(
      z.object({ unit: z.uuid() }),
      sql`update unit_state set unit_state_status = 'offline', unit_state_lease_holder = null, unit_state_lease_until = null
           where ${condition} returning unit_state_id as unit`,
    )
    await storeUnitEvents(tx, { units: rows.map(({ unit }) => unit), type: 'unit.offline' })
    return rows.length
  })
}

function lockState(tx: Transaction, { unit, lock }: { unit: string; lock: Sql }) {
  return tx.first(
    before,
    sql`select unit_state_status as status, unit_state_account as account, unit_state_compiled_capacity as "compiledCapacity"
          from unit_state where unit_state_id = ${unit} for ${lock}`,
  )
}
