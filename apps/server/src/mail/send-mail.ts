import { isIP } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { logoId } from './logo-of.ts'
import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'

export type Mail = {
  /** The product name for the recipient's brand. */
  sender: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** The logo in the HTML, as a PNG. */
  logo: Buffer
}

/** Resolves once the mail server has accepted the email, or it is in the outbox; rejects after `longestSendMs`. */
export type SendMail = (mail: Mail) => Promise<'sent' | 'kept'>

type MakeSendMailOptions = {
  /** If absent, emails are kept in `DATA_DIR/outbox`. */
  smtpUrl: string | undefined
  publicUrl: string | undefined
  dataDir: string
  log: FastifyBaseLogger
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

/** A limit on the whole send: a mail server that trickles its answer never reaches a socket timeout. */
export const longestSendMs = 60_000

export function makeSendMail({ smtpUrl, publicUrl, dataDir, log }: MakeSendMailOptions): SendMail {
  const address = senderAddress({ smtpUrl, publicUrl })
  const whole = ({ sender, logo, ...mail }: Mail) => ({
    ...mail,
    attachments: [{ cid: logoId, filename: 'logo.png', content: logo, contentDisposition: 'inline' as const }],
    from: { name: sender, address },
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (smtpUrl === undefined) {
    const folder = join(dataDir, 'outbox')
    return async (mail) => {
      const outbox = await keepInOutbox(folder, whole(mail))
      log.warn({ outbox }, 'SMTP_URL is not set: email kept in the outbox')
      return 'kept'
    }
  }
  return async (mail) => {
    const transport = createTransport({ url: smtpUrl, ...timeouts })
    try {
      await withinTime(transport.sendMail(whole(mail)))
      return 'sent'
    } finally {
      transport.close()
    }
  }
}

async function withinTime(sending: Promise<unknown>) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error('The mail server did not accept the email within 60 s.')),
    longestSendMs,
  )
  await Promise.race([sending, late.promise]).finally(() => clearTimeout(timer))
}

/** Most relays accept only mail from the mailbox that signed in to them. */
function senderAddress({ smtpUrl, publicUrl }: Pick<MakeSendMailOptions, 'smtpUrl' | 'publicUrl'>) {
  const mailbox = decodeURIComponent(URL.parse(smtpUrl ?? '')?.username ?? '')
  if (mailbox.includes('@')) return mailbox
  const host = URL.parse(publicUrl ?? '')?.hostname ?? ''
  return `no-reply@${/[a-z]/i.test(host) && isIP(host) === 0 && !host.startsWith('[') ? host : 'localhost'}`
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/**
 * Keeps an email as a file for mail programs, readable by its owner only, because it may hold a link that sets a
 * password. Returns its path. The file is renamed into place, so it is always complete.
 */
async function keepInOutbox(folder: string, mail: SendMailOptions) {
  const { message } = await composer.sendMail(mail)
  if (!Buffer.isBuffer(message)) throw new Error('Composing the email did not return a buffer.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`
  const path = join(folder, name)
  await writeFile(`${path}.part`, withWholeLines(message.toString()), { mode: 0o600 })
  await rename(`${path}.part`, path)
  return path
}

/** Quoted-printable breaks long lines; decoding it keeps links whole for a reader in an editor. */
function withWholeLines(message: string): string {
  const bodyAt = message.indexOf('\r\n\r\n')
  const [head, body] = [message.slice(0, bodyAt), message.slice(bodyAt)]
  const [, boundary] = /boundary="([^"]+)"/.exec(head) ?? []
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`)
    return [
      head,
      parts.map((part) => (part.includes('\r\n\r\n') ? withWholeLines(part) : part)).join(`--${boundary}`),
    ].join('')
  }
  const quoted = 'Content-Transfer-Encoding: quoted-printable'
  if (!head.includes(quoted)) return message
  const whole = body
    .replaceAll('=\r\n', '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
  return `${head.replace(quoted, 'Content-Transfer-Encoding: 8bit')}${whole}`
}
