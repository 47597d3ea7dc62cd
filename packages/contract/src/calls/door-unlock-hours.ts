import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'

export const doorUnlockHours = defineCall({
  id: 'door-unlock-hours',
  method: 'GET',
  path: '/api/doors/{id}/unlockHours',
  tag: 'doors',
  summary: 'Show whether a door stands unlocked by its schedule',
  description:
    'By the calendar of its site, with holidays. A mode that a user has set overrides the unlock schedule of the door.',
  access: 'account',
  abilities: [view('Sites')],
  params: { id: 'The _id of the door.' },
  output: z
    .object({
      isUnlocked: z.boolean(),
      /** When the schedule closes; null while the door is not unlocked by it, and beyond eight weeks. */
      until: z.iso.datetime().nullable(),
    })
    .register(schemaNames, { id: 'DoorUnlockHours' }),
  returns: 'Whether the schedule unlocks the door now, and until when.',
  errors: ['not_found'],
})
export type DoorUnlockHours = z.output<typeof doorUnlockHours.output>
