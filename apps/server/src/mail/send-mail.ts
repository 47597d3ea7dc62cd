import { isIP } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'
import { keepInOutbox } from './outbox.ts'

export type Mail = { to: { name: string; address: string }; subject: string; text: string }

/** Resolves when the mail server has taken the mail, or it is in the outbox. */
export type SendMail = (mail: Mail) => Promise<void>

type Parts = {
  /** Absent: mail is kept in `DATA_DIR/outbox`. */
  smtpUrl: string | undefined
  publicUrl: string | undefined
  dataDir: string
  log: FastifyBaseLogger
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

export function makeSendMail({ smtpUrl, publicUrl, dataDir, log }: Parts): SendMail {
  const always = {
    from: { name: 'Portcullis', address: senderAddress({ smtpUrl, publicUrl }) },
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (smtpUrl === undefined) {
    const folder = join(dataDir, 'outbox')
    return async (mail) => {
      const outbox = await keepInOutbox(folder, { ...always, ...mail })
      log.warn({ outbox }, 'SMTP_URL is not set: a mail is kept in the outbox')
    }
  }
  const transport = createTransport({ url: smtpUrl, ...timeouts })
  return async (mail) => {
    await transport.sendMail({ ...always, ...mail })
  }
}

/** Most relays accept only mail from the mailbox that signed in to them. */
function senderAddress({ smtpUrl, publicUrl }: Pick<Parts, 'smtpUrl' | 'publicUrl'>) {
  const mailbox = decodeURIComponent(URL.parse(smtpUrl ?? '')?.username ?? '')
  if (mailbox.includes('@')) return mailbox
  const host = URL.parse(publicUrl ?? '')?.hostname ?? ''
  return `no-reply@${/[a-z]/i.test(host) && isIP(host) === 0 && !host.startsWith('[') ? host : 'localhost'}`
}
