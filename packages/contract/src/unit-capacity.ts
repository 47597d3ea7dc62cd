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
