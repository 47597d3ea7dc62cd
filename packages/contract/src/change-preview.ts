import { z } from 'zod'
import { namedCardholders } from './calls/unit-difference.ts'
import { schemaNames } from './call.ts'
import { configSize } from './unit-capacity.ts'

/** The query of a change that is only tried: nothing is stored. */
export const previewQuery = z.strictObject({ preview: z.literal('true').optional() })

const named = z.array(z.object({ _id: z.uuid(), name: z.string() }))

/** The effects of a change that is tried, and not stored. */
export const changePreview = z
  .object({
    /** The controllers that have no room for all of it, with what they would leave out in addition. */
    noRoom: z.array(
      z.object({
        _id: z.uuid(),
        /** Null if the user may not see the controller. */
        name: z.string().nullable(),
        capacity: configSize,
        needs: configSize,
        cardholders: namedCardholders,
        doors: named,
        schedules: named,
      }),
    ),
    /** How many controllers were not examined: the change concerns too many that are nearly full. */
    notExamined: z.int(),
  })
  .register(schemaNames, { id: 'ChangePreview' })
export type ChangePreview = z.output<typeof changePreview>
