import { z } from 'zod'
import { id } from '../fields.ts'

/** How long a request waits for a decision, in seconds. */
export const requestSeconds = { least: 5, most: 600, initial: 60 } as const

const seconds = z
  .int(`A whole number of seconds, from ${requestSeconds.least} to ${requestSeconds.most}.`)
  .min(requestSeconds.least, `At least ${requestSeconds.least} seconds.`)
  .max(requestSeconds.most, `At most ${requestSeconds.most} seconds.`)
  .default(requestSeconds.initial)

/** `POST /api/tasks`: asks for a door to be unlocked once for oneself. Answers the task, which somebody else decides. */
export const askAtDoor = {
  input: z.strictObject({
    type: z.literal('RemoteAuthRequest'),
    door: id(),
    data: z.strictObject({ expiresAfterSeconds: seconds }).default({ expiresAfterSeconds: requestSeconds.initial }),
  }),
} as const

/** `POST /api/tasks/{id}/actionRemoteAuth`: grants or denies a request, once. Answers the task. */
export const actionRemoteAuth = { input: z.strictObject({ grant: z.boolean() }) } as const
