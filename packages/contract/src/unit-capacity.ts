import type { ConfigSize } from '@portcullis/domain/configuration/config-size'
import { z } from 'zod'

const items = z.int().min(0)

/** How much of what fills a unit's memory a configuration holds. */
export const configSize: z.ZodType<ConfigSize> = z.object({ doors: items, credentials: items, schedules: items })

/** How much a unit holds at most: of its configuration, and of the events that it keeps until the server has them. */
export const unitCapacity = z.object({ doors: items, credentials: items, schedules: items, events: items })
export type UnitCapacity = z.output<typeof unitCapacity>
