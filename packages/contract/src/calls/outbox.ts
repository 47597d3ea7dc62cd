import { z } from 'zod'
import { defineCall, schemaNames } from '../call.ts'

export const outboxMail = z
  .object({
    _id: z.uuid(),
    to: z.string(),
    subject: z.string(),
    createdAt: z.iso.datetime(),
    status: z.enum(['waiting', 'sent', 'kept', 'failed']),
    attempts: z.int(),
    problem: z.string().nullable(),
    /** Null if a mail server is configured. */
    text: z.string().nullable(),
  })
  .register(schemaNames, { id: 'OutboxMail' })
export type OutboxMail = z.output<typeof outboxMail>

export const outbox = defineCall({
  id: 'outbox',
  method: 'GET',
  path: '/api/outbox',
  tag: 'session',
  summary: 'List the latest emails and their status',
  description: 'For hyper users. The text is included only if no mail server is configured and emails stay here.',
  access: 'session',
  needsFreshSignIn: true,
  output: z.array(outboxMail),
  returns: 'At most a hundred, the newest first.',
  errors: ['hyper_only'],
})
