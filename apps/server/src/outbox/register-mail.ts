import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { ownUrl } from '../http/own-url.ts'
import { startMailSender } from '../mail/mail-sender.ts'
import { registerOutbox } from './calls.ts'
import { makeSendMail } from '../mail/send-mail.ts'

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
