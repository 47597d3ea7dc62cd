import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { doors } from '../collections/doors.ts'
import { instant } from '../fields.ts'

export const maxHoldHours = 24

/**
 * The desired mode of a door. `unlocked` (Hold unlocked) needs an end within a day, `blocked` may have one, `lockdown`
 * and `normal` (Return to schedule) have none.
 */
export const doorModeRequest = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('normal') }),
  z.strictObject({ mode: z.literal('unlocked'), until: instant() }),
  z.strictObject({ mode: z.literal('blocked'), until: instant().nullable().default(null) }),
  z.strictObject({ mode: z.literal('lockdown') }),
])
export type DoorModeRequest = z.input<typeof doorModeRequest>

export const setDoorMode = defineCall({
  id: 'door-mode',
  method: 'PUT',
  path: '/api/doors/{id}/mode',
  tag: 'doors',
  summary: 'Hold a door unlocked, block it, lock it down, or return it to its schedule',
  description:
    'The mode applies once the controller has confirmed it: appliedModeVersion then equals modeVersion. A door for which its controller has no room cannot be held unlocked; if it loses its room while it is held, it returns to its schedule, and the audit log names the reason. While a lockdown of a plan is active at the door, its mode is changed only by ending that lockdown.',
  access: 'account',
  abilities: [manage('Access Control')],
  params: { id: 'The _id of the door.' },
  input: doorModeRequest,
  output: doors.entitySchema,
  isRecorded: true,
  returns: 'The door with its desired mode.',
  errors: ['not_found', 'door_unwired', 'door_left_out', 'door_in_lockdown', 'conflict'],
})
