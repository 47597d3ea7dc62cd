import type { EventNote } from '@portcullis/contract/event-notes'
import type { EventType } from '@portcullis/contract/event-types'
import { capacityUses, configSize, unitCapacity, usedShare } from '@portcullis/contract/unit-capacity'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { storeUnitEvents } from './unit-events.ts'

/** Beyond this offset a unit's clock is wrong. */
const clockToleranceMs = 60_000
/** A condition ends once it was not observed for this long: one that comes and goes is one pair of events. */
const quietMinutes = 5

/** The measured conditions of a unit, as stored, and the measurements behind them. */
export const storedConditions = z.object({
  unit: z.uuid(),
  clockOffsetMs: z.int().nullable(),
  capacity: unitCapacity.nullable(),
  configSize: configSize.nullable(),
  pendingEvents: z.int().nullable(),
  isClockWrong: z.boolean(),
  isClockQuiet: z.boolean(),
  isCapacityExceeded: z.boolean(),
  isCapacityQuiet: z.boolean(),
})

const isQuiet = (seenAt: Sql) => sql`coalesce(${seenAt} < now() - make_interval(mins => ${quietMinutes}), true)`

/** To return from a statement that stores measurements of a unit. */
export const conditionColumns = sql`unit_state_id as unit, unit_state_clock_offset_ms as "clockOffsetMs",
  unit_state_capacity as capacity, unit_state_config_size as "configSize", unit_state_pending_events as "pendingEvents",
  unit_state_clock_wrong_since is not null as "isClockWrong",
  ${isQuiet(sql`unit_state_clock_wrong_seen_at`)} as "isClockQuiet",
  unit_state_capacity_exceeded_since is not null as "isCapacityExceeded",
  ${isQuiet(sql`unit_state_capacity_exceeded_seen_at`)} as "isCapacityQuiet"`

/** Begins and ends the measured conditions of a unit, each with an event. The caller has locked the unit's state. */
export async function followConditions(tx: Transaction, stored: z.output<typeof storedConditions>) {
  const { unit, isClockWrong, isClockQuiet, isCapacityExceeded, isCapacityQuiet } = stored
  const clock = { unit, isActive: isClockWrong, isQuiet: isClockQuiet, observed: clockFault(stored) }
  await follow(tx, clock, {
    since: sql`unit_state_clock_wrong_since`,
    seenAt: sql`unit_state_clock_wrong_seen_at`,
    begins: 'unit.clock_wrong',
    ends: 'unit.clock_right',
  })
  // Before it is compiled, how much a unit needs is unknown.
  if (stored.configSize === null) return
  const capacity = { unit, isActive: isCapacityExceeded, isQuiet: isCapacityQuiet, observed: lackOfCapacity(stored) }
  await follow(tx, capacity, {
    since: sql`unit_state_capacity_exceeded_since`,
    seenAt: sql`unit_state_capacity_exceeded_seen_at`,
    begins: 'unit.capacity_exceeded',
    ends: 'unit.capacity_restored',
  })
}

type Observation = { unit: string; isActive: boolean; isQuiet: boolean; observed: EventNote | undefined }
type Condition = { since: Sql; seenAt: Sql; begins: EventType; ends: EventType }

async function follow(tx: Transaction, observation: Observation, { since, seenAt, begins, ends }: Condition) {
  const { unit, isActive, isQuiet, observed: note } = observation
  if (note) {
    await tx.run(
      sql`update unit_state set ${since} = coalesce(${since}, now()), ${seenAt} = now() where unit_state_id = ${unit}`,
    )
    if (!isActive) await storeUnitEvents(tx, { units: [unit], type: begins, data: { note } })
  } else if (isActive && isQuiet) {
    await tx.run(sql`update unit_state set ${since} = null where unit_state_id = ${unit}`)
    await storeUnitEvents(tx, { units: [unit], type: ends })
  }
}

type Measured = z.output<typeof storedConditions>

function clockFault({ clockOffsetMs }: Pick<Measured, 'clockOffsetMs'>): EventNote | undefined {
  const offsetMs = clockOffsetMs ?? 0
  if (Math.abs(offsetMs) <= clockToleranceMs) return undefined
  return { code: offsetMs > 0 ? 'clock_ahead' : 'clock_behind', seconds: Math.round(Math.abs(offsetMs) / 1_000) }
}

function lackOfCapacity(measured: Measured): EventNote | undefined {
  const [fullest, ...others] = capacityUses(measured)
    .toSorted((a, b) => usedShare(b) - usedShare(a))
    .flatMap((use) => (use.most === null || usedShare(use) <= 1 ? [] : [{ ...use, most: use.most }]))
  if (!fullest) return undefined
  return { code: 'capacity_exceeded', ...fullest, ...(others.length > 0 ? { others } : {}) }
}
