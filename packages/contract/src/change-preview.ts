import { ruleDirections } from '@portcullis/domain/policy'
import { z } from 'zod'
import { namedCardholders } from './calls/unit-difference.ts'
import { schemaNames } from './call.ts'
import { configSize } from './unit-capacity.ts'

/** The query of a change that is only tried: nothing is stored. `room`: without the access that it gives and takes away. */
export const previewQuery = z.strictObject({ preview: z.enum(['true', 'room']).optional() })

const named = z.array(z.object({ _id: z.uuid(), name: z.string() }))

/** Cardholders who gain, or lose, the same times at the same doors. */
const sameChange = z.object({
  doors: named,
  direction: z.enum(ruleDirections),
  /** The zone of the sites of these doors. */
  timeZone: z.string(),
  cardholders: namedCardholders,
  /** The first periods; `until` is null where one does not end within eight weeks. */
  times: z.array(z.object({ from: z.iso.datetime(), until: z.iso.datetime().nullable() })),
  /** How many periods follow within eight weeks. */
  moreTimes: z.int(),
})

const accessSide = z.object({
  /** How many cardholders and doors in all that the user may see. */
  cardholders: z.int(),
  doors: z.int(),
  /** By door and times, those of most cardholders first. */
  changes: z.array(sameChange),
  /** How many of these are not listed. */
  moreChanges: z.int(),
})
export type AccessSide = z.output<typeof accessSide>

/** The effects of a change that is tried, and not stored. */
export const changePreview = z
  .object({
    /**
     * Of the users and doors that the user may see. Null if only the room was asked for, if the user may not use the
     * explorer, or if the change concerns too many users and doors, or an account.
     */
    access: z.object({ gained: accessSide, lost: accessSide }).nullable(),
    /** The controllers that have no room for all of it, with what they would leave out in addition. */
    noRoom: z.array(
      z.object({
        _id: z.uuid(),
        name: z.string(),
        capacity: configSize,
        needs: configSize,
        /** All of them, as on the page of the controller; only those that the user may see are named. */
        cardholders: namedCardholders,
        /** The doors at which some of these cardholders have access. */
        incomplete: z.array(z.object({ _id: z.uuid(), name: z.string(), cardholders: z.int() })),
        doors: named,
        schedules: named,
      }),
    ),
    /** Whether controllers that the user may not see have no room for all of it either. */
    hasHiddenUnits: z.boolean(),
    /** How many controllers that the user may see were not examined: the change concerns too many that are nearly full. */
    notExamined: z.int(),
  })
  .register(schemaNames, { id: 'ChangePreview' })
export type ChangePreview = z.output<typeof changePreview>
