import { z } from 'zod'
import { highestDoorNumber } from '../unit-capacity.ts'
import { answeredSignature, doorNumber } from './frame-fields.ts'

// The frames of interlocks whose doors belong to several units.

export const interlockRequest = z
  .object({ type: z.literal('interlockRequest'), id: z.uuid(), door: doorNumber })
  .describe(
    'Asks whether a door with sharedInterlock may be released now. After the outcome clear, no other door of the interlock is released until the unit reports this one as secure. Answered by interlockAnswer.',
  )

export const interlockState = z
  .object({
    type: z.literal('interlockState'),
    doors: z
      .array(z.object({ door: doorNumber, isSecure: z.boolean() }))
      .min(1)
      .max(highestDoorNumber),
  })
  .describe(
    'Doors with sharedInterlock, except those that wait for an answer: secure are those that are closed and locked. A door that has lost sharedInterlock is reported once, as not secure.',
  )

const outcome = z.enum(['clear', 'open', 'unknown'])
export type InterlockAnswered = z.output<typeof outcome>

export const interlockAnswer = z
  .object({ type: z.literal('interlockAnswer'), id: z.uuid(), outcome, signature: answeredSignature })
  .describe(
    'The other doors of the interlock: all secure (clear: the unit may release the door), one of them open, or one of them unknown. Signed over nonce, unit, id and outcome. A unit without a validly signed answer in time does not release the door.',
  )
