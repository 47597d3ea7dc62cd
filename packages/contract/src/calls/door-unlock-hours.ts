import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { ids } from '../fields.ts'

/** The maximum number of doors in one request. */
export const maxUnlockHours = 100

const unlockHours = z.object({
  /** The door. */
  _id: z.uuid(),
  isUnlocked: z.boolean(),
  /** Whether the controller of the door is online, and has applied its current configuration. */
  isConfirmed: z.boolean(),
  /** When the schedule closes; null while the door is not unlocked by it, and beyond eight weeks. */
  until: z.iso.datetime().nullable(),
})
export type DoorUnlockHours = z.output<typeof unlockHours>

export const doorUnlockHours = defineCall({
  id: 'door-unlock-hours',
  method: 'GET',
  path: '/api/doors/unlockHours',
  tag: 'doors',
  summary: 'Show whether doors stand unlocked by their schedules',
  description: `At most ${maxUnlockHours} doors, by the calendars of their sites, with holidays. A mode that a user has set overrides the unlock schedule of a door. Returns nothing for missing and out-of-scope doors.`,
  access: 'account',
  abilities: [view('Sites')],
  query: z.strictObject({ ids: ids({ most: maxUnlockHours }).describe('The _ids of the doors, separated by commas.') }),
  output: z.object({ doors: z.array(unlockHours) }).register(schemaNames, { id: 'DoorUnlockHours' }),
  returns: 'Whether the schedule unlocks each door in scope now, and until when.',
})
