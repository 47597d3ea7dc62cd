import { z } from 'zod'
import { grantObstacles } from '../errors/business-rules.ts'
import { defineCall, manage } from '../call.ts'
import { tasks } from '../collections/tasks.ts'
import { id, text } from '../fields.ts'

/** How long a request waits for a decision, in seconds. */
export const requestSeconds = { least: 5, most: 600, initial: 60 } as const

/** How many requests signed-in users may make in a period: each user, and all users of an account together. */
export const requestLimits = { perUser: 10, perAccount: 100, periodSeconds: 60 } as const

/** How many requests controllers may raise at their readers in a period: each controller, and all of an account together. */
export const readerLimits = { perUnit: 30, perAccount: 300, periodSeconds: 60 } as const

export const noteMaxCharacters = 1_000

const seconds = z
  .int(`A whole number of seconds, from ${requestSeconds.least} to ${requestSeconds.most}.`)
  .min(requestSeconds.least, `At least ${requestSeconds.least} seconds.`)
  .max(requestSeconds.most, `At most ${requestSeconds.most} seconds.`)
  .default(requestSeconds.initial)

export const askAtDoor = defineCall({
  id: 'ask-at-door',
  method: 'POST',
  path: '/api/tasks',
  tag: 'tasks',
  summary: 'Request remote access at a door for the current user',
  description: `Any user with a role in the account can request it. Another user with the right to manage RemoteAuth grants or denies it before it expires. A user has one open request at a door: a second one returns 409 with the open request. A user makes at most ${requestLimits.perUser} requests a minute, and all users of an account at most ${requestLimits.perAccount}; beyond that, returns 429. Requests that controllers raise at readers have limits of their own, and count towards none of these.`,
  access: 'account',
  input: z.strictObject({
    type: z.literal('RemoteAuthRequest'),
    door: id(),
    data: z.strictObject({ expiresAfterSeconds: seconds }).default({ expiresAfterSeconds: requestSeconds.initial }),
  }),
  output: tasks.entitySchema,
  isRecorded: true,
  status: 201,
  returns: 'The request.',
  errors: ['not_found', 'request_open', 'too_many', 'door_unwired', 'door_left_out', 'door_disabled'],
})

export const actionRemoteAuth = defineCall({
  id: 'action-remote-auth',
  method: 'POST',
  path: '/api/tasks/{id}/actionRemoteAuth',
  tag: 'tasks',
  summary: 'Grant or deny a request for remote access',
  description:
    'A request is decided once, by a user other than the one who made it. Returns 409 with the current request if it has been decided or has expired. Returns 422 if the door has been locked down, blocked or rewired in the meantime, or its controller has no room for it; the request then stays open.',
  access: 'account',
  abilities: [manage('RemoteAuth')],
  params: { id: 'The _id of the task.' },
  input: z.strictObject({ grant: z.boolean() }),
  output: tasks.entitySchema,
  isRecorded: true,
  returns: 'The request; `delivery` reports the progress of the unlock.',
  errors: ['not_found', 'request_decided', 'request_expired', 'own_request', 'rights_changed', ...grantObstacles],
})

export const withdrawRequest = defineCall({
  id: 'withdraw-request',
  method: 'DELETE',
  path: '/api/tasks/{id}',
  tag: 'tasks',
  summary: 'Withdraw an open request for remote access',
  description:
    'Only the user who made it and users with the right to manage RemoteAuth withdraw it. Returns 409 if it has been decided or has expired, with the current request for users who may view it, and also if a controller raised it at a reader and waits for the decision. A withdrawn request still counts for the limits of requests.',
  access: 'account',
  params: { id: 'The _id of the task.' },
  isRecorded: true,
  returns: 'The request is deleted.',
  errors: ['not_found', 'request_decided', 'request_expired', 'request_at_reader'],
})

export const noteDecision = defineCall({
  id: 'note-decision',
  method: 'PATCH',
  path: '/api/tasks/{id}',
  tag: 'tasks',
  summary: 'Add a note to the decision about a request, or change it',
  description:
    'Any user who may decide the request can do this, not only the one who decided. All other fields of a request are read-only: the body may have them as they were read. Returns 409 with the current request if it has not been decided, has expired without a decision, or has another note than `noteAsRead`.',
  access: 'account',
  abilities: [manage('RemoteAuth')],
  params: { id: 'The _id of the task.' },
  /** A request as it was read, with the note. */
  input: z.strictObject({
    ...tasks.entitySchema.partial().shape,
    note: text(noteMaxCharacters),
    /** The note that this one replaces; without it, the note is replaced in any case. */
    noteAsRead: tasks.entitySchema.shape.note.optional(),
  }),
  output: tasks.entitySchema,
  isRecorded: true,
  returns: 'The request.',
  errors: ['not_found', 'request_undecided', 'request_expired', 'own_request', 'conflict'],
})
