import { z } from 'zod'
import { instant } from '../fields.ts'

export const longestHoldHours = 24

/**
 * `PUT /api/doors/{id}/mode`: what is wanted of a door. `unlocked` (Hold unlocked) needs an end within a day, `blocked` may
 * have one, `lockdown` and `normal` (Return to schedule) have none. Answers the door; its controller confirms afterwards.
 */
export const doorModeRequest = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('normal') }),
  z.strictObject({ mode: z.literal('unlocked'), until: instant() }),
  z.strictObject({ mode: z.literal('blocked'), until: instant().nullable().default(null) }),
  z.strictObject({ mode: z.literal('lockdown') }),
])
export type DoorModeRequest = z.input<typeof doorModeRequest>
