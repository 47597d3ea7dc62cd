import { configSize, unitCapacity } from '@portcullis/contract/unit-capacity'
import { type CompileUnit, compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import type { ConfigSize } from '@portcullis/domain/configuration/config-size'
import { mostAdded } from '@portcullis/domain/configuration/most-added'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { type LeftOutItems, leftOutItems, leftOutItemsOf } from '../desired/left-out-items.ts'
import { itemsIn, type TriedItems, type TriedPolicy } from './try-change.ts'

const unitRow = z.object({
  id: z.uuid(),
  capacity: unitCapacity,
  size: configSize.nullable(),
  leftOut: leftOutItems.nullable(),
})
export type LimitedUnit = z.output<typeof unitRow>

/** A unit that would leave out more than it does. */
export type LackOfRoom = Pick<LimitedUnit, 'id' | 'capacity'> & {
  readonly needs: ConfigSize
  /** What it does not leave out already; cardholders by membership key. */
  readonly more: {
    readonly total: number
    readonly holderKeys: string[]
    /** How many more of these cardholders have access at each door, by its id. */
    readonly incomplete: Readonly<Record<string, number>>
    readonly doors: string[]
    readonly schedules: string[]
  }
}

/** The units of an account tree that have reported their capacity. */
export function limitedUnits(database: Database, root: number) {
  return database.asSystem((tx) =>
    tx.rows(
      unitRow,
      sql`select unit_state_id as id, unit_state_capacity as capacity, unit_state_config_size as size,
                 unit_state_left_out as "leftOut"
            from unit_state join account on account_key = unit_state_account
           where account_root = ${root} and unit_state_capacity is not null`,
    ),
  )
}

type RoomAfter = {
  readonly policy: TriedPolicy
  readonly tried: readonly TriedItems[]
  readonly limited: readonly LimitedUnit[]
  /** Units for which there is no more time are not examined. */
  readonly hasTime: () => boolean
}

/** Compiles the units that the change might overfill, those with the least room first, in short steps. */
export function* roomAfter({ policy, tried, limited, hasTime }: RoomAfter) {
  const { index, units } = policy
  const most = yield* mostAdded(policy, itemsIn(tried))
  const nearlyFull = limited
    .filter((unit) => (units === 'all' || units.has(unit.id)) && mayOverfill(unit, most))
    .sort((a, b) => roomIn(a) - roomIn(b))
  const lacks: LackOfRoom[] = []
  const leftOutAfter = new Map<string, LeftOutItems>(
    limited.flatMap(({ id, leftOut }) => (leftOut ? [[id, leftOut]] : [])),
  )
  let examined = 0
  for (const { id, capacity, leftOut } of nearlyFull) {
    const input = { index, unit: id, at: Date.now(), hashNumber: (number: string) => number, capacity }
    const compiled = yield* whileTime(needsAndLeftOut(input), hasTime)
    if (compiled === undefined) break
    examined += 1
    const { needs, after } = compiled
    if (after) leftOutAfter.set(id, after)
    else leftOutAfter.delete(id)
    const more = moreLeftOut(leftOut, after)
    if (more) lacks.push({ id, capacity, needs, more })
  }
  return { lacks, leftOutAfter, notExamined: nearlyFull.slice(examined).map(({ id }) => id) }
}

function* needsAndLeftOut(input: CompileUnit) {
  const compiled = yield* compileInSteps(input)
  return { needs: compiled.needs, after: yield* leftOutItemsOf(compiled) }
}

/** Undefined if the time is over before the work. */
function* whileTime<T>(steps: Generator<undefined, T>, hasTime: () => boolean): Generator<undefined, T | undefined> {
  while (hasTime()) {
    const step = steps.next()
    if (step.done) return step.value
    yield
  }
  return undefined
}

function mayOverfill({ size, capacity, leftOut }: LimitedUnit, added: ConfigSize) {
  if (size === null || leftOut !== null) return true
  return (['doors', 'credentials', 'schedules'] as const).some((kind) => size[kind] + added[kind] > capacity[kind])
}

function roomIn({ size, capacity }: LimitedUnit) {
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
  const incomplete = Object.fromEntries(
    Object.entries(after.incomplete)
      .map(([door, count]) => [door, count - (before?.incomplete[door] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
  return total + doors.length + schedules.length > 0 ? { total, holderKeys, incomplete, doors, schedules } : undefined
}
