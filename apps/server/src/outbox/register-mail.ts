import type { FastifyInstance } from 'fastify'
import { defaultBrand } from '@portcullis/contract/brands'
import { outbox } from '@portcullis/contract/calls/outbox'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { ownUrl } from '../http/own-url.ts'
import { startMailSender } from '../mail/mail-sender.ts'
import { makeSendMail } from '../mail/send-mail.ts'
import { AppError } from '../errors/app-error.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { mailBrand } from '../mail/mail-brand.ts'
import { mailContent } from '../mail/mail-content.ts'
import { subjectOf } from '../mail/message-of.ts'

const newest = 100

type Parts = Pick<ServeCall, 'serveCall'> & {
  database: Database
  smtpUrl: string | undefined
  publicUrl: string | undefined
  dataDir: string
}

/**
 * Sends mail from when the server listens, and what it has promised before it closes. To be registered before whoever
 * queues mail: of those who wait at the end, the first comes last.
 */
export function registerMail(app: FastifyInstance, { database, serveCall, smtpUrl, publicUrl, dataDir }: Parts) {
  let url = ownUrl({ publicUrl, address: null })
  const sendMail = makeSendMail({ smtpUrl, publicUrl, dataDir, log: app.log })
  let sender: ReturnType<typeof startMailSender> | undefined
  const hint = () => sender?.hint()
  app.addHook('onListen', async () => {
    url = ownUrl({ publicUrl, address: app.server.address() })
    sender = startMailSender({ database, sendMail, ownUrl: () => url, log: app.log })
  })
  app.addHook('onResponse', async ({ method, routeOptions }) => {
    if (method !== 'GET' || routeOptions.config.hasEffect) hint()
  })
  app.addHook('onClose', () => sender?.stop())
  registerOutbox(app, { database, serveCall, ownUrl: () => url })
  return { hint }
}

type CallOptions = Pick<ServeCall, 'serveCall'> & { database: Database; ownUrl: () => string }

/** The latest emails, for hyper users; their text only if they are kept here. */
function registerOutbox(app: FastifyInstance, { database, serveCall, ownUrl }: CallOptions) {
  serveCall(app, outbox, async ({ reply, person: { hyper } }) => {
    if (!hyper) throw new AppError('hyper_only')
    const rows = await database.asSystem((tx) => tx.rows(mailRow, lastMails))
    reply.header('cache-control', 'no-store')
    const people = [...new Set(rows.map(({ person }) => person))]
    const brands = new Map(
      await Promise.all(people.map(async (person) => [person, await mailBrand(database, person)] as const)),
    )
    return rows.map(({ person, name, kind, content, ...row }) => {
      const brand = brands.get(person) ?? defaultBrand
      const to = { person, name, email: row.to }
      const text = content ? composeMail({ brand, url: ownUrl(), to, content }).text : null
      return { ...row, subject: subjectOf(kind, brand.product), text }
    })
  })
}

const mailRow = z.object({
  _id: z.uuid(),
  person: z.uuid(),
  name: z.string(),
  to: z.string(),
  kind: z.enum(mailContent.options.map(({ shape }) => shape.kind.value)),
  content: mailContent.nullable(),
  createdAt: z.string(),
  status: z.enum(['waiting', 'sent', 'kept', 'failed']),
  attempts: z.int(),
  problem: z.string().nullable(),
})

const lastMails = sql`
  select mail_id as _id, mail_person as person, mail_to_name as name, mail_to_address as to, mail_kind as kind,
         case when mail_status = 'kept' then mail_content end as content, mail_created_at as "createdAt",
         mail_status as status, mail_attempts as attempts, mail_problem as problem
    from mail order by mail_created_at desc, mail_id desc limit ${newest}`
