import { z } from 'zod'

/** `GET /api/outbox`: the last mails, for hyper users; `text` only where no mail server is set, and mail is kept here. */
export const outboxMail = z.object({
  _id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  createdAt: z.iso.datetime(),
  status: z.enum(['waiting', 'sent', 'kept', 'failed']),
  attempts: z.int(),
  problem: z.string().nullable(),
  text: z.string().nullable(),
})
export type OutboxMail = z.output<typeof outboxMail>
export const outbox = { output: z.array(outboxMail) }
