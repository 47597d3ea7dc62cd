import type { FastifyInstance } from 'fastify'
import { defaultBrand } from '@portcullis/contract/brands'
import { outbox } from '@portcullis/contract/calls/outbox'
import { language } from '@portcullis/contract/names'
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

type RegisterMailOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  smtpUrl: string | undefined
  publicUrl: string | undefined
  dataDir: string
}

/**
 * Sends mail from when the server listens, and the mail still queued before it closes. Register this before the calls
 * that queue mail, because close hooks run in reverse order.
 */
export function registerMail(
  app: FastifyInstance,
  { database, serveCall, smtpUrl, publicUrl, dataDir }: RegisterMailOptions,
) {
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
  serveCall(app, outbox, {
    async demand({ person: { hyper } }) {
      if (!hyper) throw new AppError('hyper_only')
    },
    async handle({ reply }) {
      const rows = await database.asSystem((tx) => tx.rows(mailRow, lastMails))
      reply.header('cache-control', 'no-store')
      const people = [...new Set(rows.map(({ person }) => person))]
      const brands = new Map(
        await Promise.all(people.map(async (person) => [person, await mailBrand(database, person)] as const)),
      )
      return rows.map(({ person, name, language: of, kind, content, ...row }) => {
        const brand = brands.get(person) ?? defaultBrand
        const to = { person, name, email: row.to, language: of }
        const text = content ? composeMail({ brand, url: ownUrl(), to, content }).text : null
        return { ...row, subject: subjectOf(kind, { product: brand.product, language: of }), text }
      })
    },
  })
}

const mailRow = z.object({
  _id: z.uuid(),
  person: z.uuid(),
  name: z.string(),
  language: language(),
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
         (select coalesce(person_language, 'en') from person where person_id = mail_person) as language,
         case when mail_status = 'kept' then mail_content end as content, mail_created_at as "createdAt",
         mail_status as status, mail_attempts as attempts, mail_problem as problem
    from mail order by mail_created_at desc, mail_id desc limit ${newest}`
