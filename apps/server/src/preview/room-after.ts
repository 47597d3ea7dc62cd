import { configSize, unitCapacity } from '@portcullis/contract/unit-capacity'
import { compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import type { ConfigSize } from '@portcullis/domain/configuration/config-size'
import { mostAdded } from '@portcullis/domain/configuration/most-added'
import type { AffectedUnits } from '@portcullis/domain/configuration/affected-units'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { type LeftOutItems, leftOutItems, leftOutItemsOf } from '../desired/left-out-items.ts'
import { runInSlices } from '../time-slices.ts'
import { itemsIn, type TriedItems, type TriedPolicy } from './try-change.ts'

/** Compiling takes up to some tenths of a second for each. */
const maxExamined = 50

const unitRow = z.object({
  id: z.uuid(),
  capacity: unitCapacity,
  size: configSize.nullable(),
  leftOut: leftOutItems.nullable(),
})
type UnitRow = z.output<typeof unitRow>

/** A unit that would leave out more than it does. */
export type LackOfRoom = Pick<UnitRow, 'id' | 'capacity'> & {
  readonly needs: ConfigSize
  /** What it does not leave out already; cardholders by membership key. */
  readonly more: {
    readonly total: number
    readonly holderKeys: string[]
    readonly doors: string[]
    readonly schedules: string[]
  }
}

type RoomAfter = {
  readonly root: number
  readonly tried: readonly TriedItems[]
  /** Works with the policy as it would be, in a turn during which it does not change. */
  readonly inPolicy: <T>(work: (after: TriedPolicy) => Promise<T>) => Promise<T>
}

/** Compiles the units that the change might overfill, without storing anything. */
export async function roomAfter(database: Database, { root, tried, inPolicy }: RoomAfter) {
  const { units, most } = await inPolicy(async (after) => ({
    units: after.units,
    most: await runInSlices(mostAdded(after, itemsIn(tried))),
  }))
  const rows = await database.asSystem((tx) => tx.rows(unitRow, unitsWithLimits(root, units)))
  const nearlyFull = rows.filter((unit) => mayOverfill(unit, most)).sort((a, b) => roomIn(a) - roomIn(b))
  const lacks: LackOfRoom[] = []
  for (const { id, capacity, leftOut } of nearlyFull.slice(0, maxExamined)) {
    // Each in a turn of its own: changes of the policy do not wait for all of them.
    const compiled = await inPolicy(({ index }) =>
      runInSlices(compileInSteps({ index, unit: id, at: Date.now(), hashNumber: (number) => number, capacity })),
    )
    const more = moreLeftOut(leftOut, leftOutItemsOf(compiled))
    if (more) lacks.push({ id, capacity, needs: compiled.needs, more })
  }
  return { lacks, notExamined: Math.max(0, nearlyFull.length - maxExamined) }
}

function unitsWithLimits(root: number, units: AffectedUnits) {
  const chosen = units === 'all' ? sql`` : sql`and unit_state_id = any(${[...units]}::uuid[])`
  return sql`select unit_state_id as id, unit_state_capacity as capacity, unit_state_config_size as size,
      unit_state_left_out as "leftOut"
    from unit_state join account on account_key = unit_state_account
   where account_root = ${root} and unit_state_capacity is not null ${chosen}`
}

function mayOverfill({ size, capacity, leftOut }: UnitRow, added: ConfigSize) {
  if (size === null || leftOut !== null) return true
  return (['doors', 'credentials', 'schedules'] as const).some((kind) => size[kind] + added[kind] > capacity[kind])
}

function roomIn({ size, capacity }: UnitRow) {
  return capacity.credentials - (size?.credentials ?? 0)
}

function moreLeftOut(before: LeftOutItems | null, after: LeftOutItems | null): LackOfRoom['more'] | undefined {
  if (after === null) return undefined
  const without = (known: readonly string[] = [], ids: readonly string[]) => {
    const had = new Set(known)
    return ids.filter((id) => !had.has(id))
  }
  const holderKeys = without(before?.holderKeys, after.holderKeys)
  const doors = without(before?.doors, after.doors)
  const schedules = without(before?.schedules, after.schedules)
  const total = Math.max(holderKeys.length, after.holders - (before?.holders ?? 0))
  return total + doors.length + schedules.length > 0 ? { total, holderKeys, doors, schedules } : undefined
}
