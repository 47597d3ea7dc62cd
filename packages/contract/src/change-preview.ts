import { z } from 'zod'
import { namedCardholders } from './calls/unit-difference.ts'
import { schemaNames } from './call.ts'
import { configSize } from './unit-capacity.ts'

/** The query of a change that is only tried: nothing is stored. `room`: without the access that it gives and takes away. */
export const previewQuery = z.strictObject({ preview: z.enum(['true', 'room']).optional() })

const named = z.array(z.object({ _id: z.uuid(), name: z.string() }))

/** Cardholders who gain, or lose, the same times at one door. */
const sameChange = z.object({
  door: z.object({ _id: z.uuid(), name: z.string() }),
  /** The zone of the door's site. */
  timeZone: z.string(),
  cardholders: namedCardholders,
  /** The first periods; `until` is null where one does not end within eight weeks. */
  times: z.array(z.object({ from: z.iso.datetime(), until: z.iso.datetime().nullable() })),
  /** How many periods follow within eight weeks. */
  moreTimes: z.int(),
})

const accessChange = z.object({
  /** How many cardholders and doors in all, including those that the user may not see. */
  cardholders: z.int(),
  doors: z.int(),
  /** By door and times, those of most cardholders first. */
  changes: z.array(sameChange),
  /** How many of these are not listed. */
  moreChanges: z.int(),
})
export type AccessChange = z.output<typeof accessChange>

/** The effects of a change that is tried, and not stored. */
export const changePreview = z
  .object({
    /** Null if only the room was asked for, or if the change concerns too many users and doors. */
    access: z.object({ gained: accessChange, lost: accessChange }).nullable(),
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
