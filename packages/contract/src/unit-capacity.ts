import type { ConfigSize } from '@portcullis/domain/configuration/config-size'
import { z } from 'zod'

/** The doors of a unit are numbered from 1 to this. */
export const highestDoorNumber = 64

const items = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** The size of a configuration, in the items that fill a unit's memory. */
export const configSize: z.ZodType<ConfigSize> = z.object({ doors: items, credentials: items, schedules: items })

/** The maximum that a unit can hold: of its configuration, and of events that the server has not acknowledged. */
export const unitCapacity = z.object({ doors: items, credentials: items, schedules: items, events: items })
export type UnitCapacity = z.output<typeof unitCapacity>

export const capacityKinds = ['doors', 'credentials', 'schedules', 'events'] as const
export type CapacityKind = (typeof capacityKinds)[number]

/** How many of a kind a unit needs to hold, and how many it can; `most` is null if it has not reported this. */
export type CapacityUse = { kind: CapacityKind; used: number; most: number | null }

type UnitSize = { capacity: UnitCapacity | null; configSize: ConfigSize | null; pendingEvents: number | null }

/** How full a unit is: with its desired configuration, and with the events that wait on it. Leaves out unknown kinds. */
export function capacityUses({ capacity, configSize, pendingEvents }: UnitSize): CapacityUse[] {
  const uses: Partial<Record<CapacityKind, number | null>> = { ...configSize, events: pendingEvents }
  return capacityKinds.flatMap((kind) => {
    const used = uses[kind] ?? null
    return used === null ? [] : [{ kind, used, most: capacity?.[kind] ?? null }]
  })
}

/** Whether a unit with this capacity, if it has reported one, can hold a configuration of this size. */
export function fitsInto(size: ConfigSize, capacity: UnitCapacity | null) {
  const kinds = ['doors', 'credentials', 'schedules'] as const
  return capacity === null || kinds.every((kind) => size[kind] <= capacity[kind])
}

/** The share of the limit that is in use: above 1 for more than fits. */
export function usedShare({ used, most }: CapacityUse) {
  if (most === null || used === 0) return 0
  return most === 0 ? Number.POSITIVE_INFINITY : used / most
}
