import { z } from 'zod'
import { defineCall, schemaNames } from '../call.ts'

const own = { tag: 'session', access: 'session' } as const

const ownSession = z.object({
  _id: z.uuid(),
  current: z.boolean(),
  address: z.string().nullable(),
  device: z.string().nullable(),
  signedInAt: z.iso.datetime(),
  lastActivityAt: z.iso.datetime(),
})
export type OwnSession = z.output<typeof ownSession>

export const ownSessions = defineCall({
  ...own,
  id: 'own-sessions',
  method: 'GET',
  path: '/api/users/me/sessions',
  summary: 'List the sessions of the current user',
  output: z.array(ownSession).register(schemaNames, { id: 'OwnSessions' }),
  returns: 'The newest first.',
})

export const endOwnSession = defineCall({
  ...own,
  id: 'end-own-session',
  method: 'DELETE',
  path: '/api/users/me/sessions/{id}',
  summary: 'End a session of the current user',
  params: { id: 'The _id of the session.' },
  returns: 'The session and its real-time connections have ended.',
  errors: ['not_found'],
})

export const endOtherSessions = defineCall({
  ...own,
  id: 'end-other-sessions',
  method: 'POST',
  path: '/api/users/me/sessions/endOthers',
  summary: 'End all other sessions of the current user',
  output: z.object({ ended: z.int() }).register(schemaNames, { id: 'EndOtherSessions' }),
  returns: 'The number of sessions that ended.',
})

const ownSignIn = z.object({
  at: z.iso.datetime(),
  outcome: z.enum(['signed_in', 'wrong_password', 'wrong_code', 'locked_out']),
  address: z.string().nullable(),
  device: z.string().nullable(),
})
export type OwnSignIn = z.output<typeof ownSignIn>

export const ownSignIns = defineCall({
  ...own,
  id: 'own-sign-ins',
  method: 'GET',
  path: '/api/users/me/signIns',
  summary: 'List the latest attempts to sign in as the current user',
  output: z.array(ownSignIn).register(schemaNames, { id: 'OwnSignIns' }),
  returns: 'At most a hundred, the newest first.',
})
