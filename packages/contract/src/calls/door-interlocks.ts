import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'

/** `secure`: closed and locked; `open`: open, unlocked or held unlocked; `unknown`: not reported, so the other doors may stay locked. */
export const interlockStates = ['secure', 'closed', 'open', 'unknown'] as const

/** Why the state of a door is not known. */
export const interlockFaults = ['offline', 'no_room', 'out_of_sync'] as const

export const doorInterlocks = defineCall({
  id: 'door-interlocks',
  method: 'GET',
  path: '/api/doors/{id}/interlocks',
  tag: 'doors',
  summary: 'List the interlocks of a door',
  description: 'With the state of each door as its controller has reported it.',
  access: 'account',
  abilities: [view('Sites')],
  params: { id: 'The _id of the door.' },
  output: z
    .object({
      /** Whether the lock is released; an interlock, also one that the user does not see, keeps a door locked that is held unlocked. */
      lock: z.enum(['locked', 'unlocked', 'unknown']),
      interlocks: z.array(
        z.object({
          _id: z.uuid(),
          name: z.string(),
          /** Its doors are wired to several controllers, which ask the server. */
          isShared: z.boolean(),
          doors: z.array(
            z.object({
              _id: z.uuid(),
              name: z.string(),
              site: z.uuid(),
              unit: z.uuid(),
              state: z.enum(interlockStates),
              /** For users who may see controllers. */
              fault: z.enum(interlockFaults).nullable(),
            }),
          ),
        }),
      ),
    })
    .register(schemaNames, { id: 'DoorInterlocks' }),
  returns:
    'The interlocks by name, each with its doors, also those of accounts below that the user may see; empty for a door without an interlock.',
  errors: ['not_found'],
})
export type DoorInterlocks = z.output<typeof doorInterlocks.output>
