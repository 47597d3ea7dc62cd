import type { CompiledUnit } from '@portcullis/domain/configuration/compile-unit'
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
  /** How many of these cardholders have an allow rule at each door, by its id. */
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
  const incomplete: Record<string, number> = {}
  for (const [, { doors: access }] of holders) {
    for (const [number, { allow }] of Object.entries(access)) {
      const id = head.doors[number]?._id
      if (id !== undefined && allow.length > 0) incomplete[id] = (incomplete[id] ?? 0) + 1
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
