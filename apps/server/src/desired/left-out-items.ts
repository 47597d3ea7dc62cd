import type { CompiledUnit } from '@portcullis/domain/configuration/compile-unit'
import type { UnitDoor } from '@portcullis/domain/configuration/unit-config'
import { appliesAtReader } from '@portcullis/domain/explore/openings'
import { z } from 'zod'

/** Cardholders are named among these. */
const maxHolders = 1_000

/** The items that a configuration leaves out, as they are stored. */
export const leftOutItems = z.object({
  /** How many. */
  credentials: z.int(),
  /** The id of the oldest of them. */
  oldestCredential: z.uuid().nullable().default(null),
  /** How many cardholders, and the membership keys of at most 1,000. */
  holders: z.int(),
  holderKeys: z.array(z.string()),
  /** How many of these cardholders have access at each door, by its id: an allow rule for a direction with a reader. */
  incomplete: z.record(z.string(), z.int()),
  /** Ids. */
  doors: z.array(z.string()),
  schedules: z.array(z.string()),
})
export type LeftOutItems = z.output<typeof leftOutItems>

/** Null where everything fits. */
export function leftOutItemsOf({ head, leftOut }: Pick<CompiledUnit, 'head' | 'leftOut'>): LeftOutItems | null {
  const { credentials, oldestCredential, holders, doors, schedules } = leftOut
  if (credentials + doors.length + schedules.length === 0) return null
  const applies = (id: string, door: UnitDoor) => {
    const rule = head.rules[id]
    return rule !== undefined && appliesAtReader(rule, door)
  }
  const incomplete: Record<string, number> = {}
  // Cardholders with the same rules share one object.
  for (const [access, sharing] of Map.groupBy(holders, ([, holder]) => holder.doors)) {
    for (const [number, { allow }] of Object.entries(access)) {
      const door = head.doors[number]
      if (!door?.enabled || !allow.some((id) => applies(id, door))) continue
      incomplete[door._id] = (incomplete[door._id] ?? 0) + sharing.length
    }
  }
  const holderKeys = holders.slice(0, maxHolders).map(([key]) => key)
  return {
    credentials,
    oldestCredential,
    holders: holders.length,
    holderKeys,
    incomplete,
    doors: [...doors],
    schedules: [...schedules],
  }
}
