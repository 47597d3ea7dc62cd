import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/**
 * Keeps a mail as a file that mail programs open, for its owner only, because it may carry a link that sets a password.
 * Answers its path. A file that is there is complete.
 */
export async function keepInOutbox(folder: string, mail: SendMailOptions) {
  const { message } = await composer.sendMail(mail)
  if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed in one piece.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`
  const path = join(folder, name)
  await writeFile(`${path}.part`, withWholeLines(message.toString()), { mode: 0o600 })
  await rename(`${path}.part`, path)
  return path
}

/** Quoted-printable breaks long lines; whoever opens the file in an editor shall find a link in one piece. */
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
