import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

const timeoutMs = 120_000

export type TestMailbox = Awaited<ReturnType<typeof openTestMailbox>>

/** A local mail server that accepts all emails unless `answer` sets another reply; `mails` are in order of arrival. */
export async function openTestMailbox() {
  const mails: { to: string[]; message: string }[] = []
  const arrivals = new EventEmitter()
  let reply = { code: 250, words: '' }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      let message = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk) => (message += String(chunk)))
      stream.once('end', () => {
        if (reply.code < 300) {
          mails.push({ to, message })
          arrivals.emit('mail')
        }
        done(reply.code < 300 ? null : Object.assign(new Error(reply.words), { responseCode: reply.code }))
      })
    },
  })
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo | string | null>()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => resolve(server.server.address()))
  const address = await promise
  const port = typeof address === 'object' ? address?.port : undefined
  const close = () => {
    const closed = Promise.withResolvers<void>()
    server.close(() => closed.resolve())
    return closed.promise
  }
  /** The emails to an address whose subject contains this text, newest last. */
  const sentTo = (address: string, subject = '') =>
    mails.filter(({ to, message }) => to.includes(address) && subjectOf(message).includes(subject))
  /** Waits for `count` such emails, and returns the body of the newest. */
  const newest = async (address: string, { subject = '', count = 1 } = {}) => {
    const signal = AbortSignal.timeout(timeoutMs)
    while (sentTo(address, subject).length < count) await once(arrivals, 'mail', { signal })
    const found = sentTo(address, subject)
    if (found.length > count) throw new Error(`${address} has ${found.length} of these mails instead of ${count}.`)
    return bodyOf(found.at(-1)?.message ?? '')
  }
  /** Sets the reply to later emails. */
  const answer = (code: number, words: string) => {
    reply = { code, words }
  }
  return { url: `smtp://127.0.0.1:${port}`, mails, answer, close, sentTo, newest }
}

function subjectOf(message: string) {
  return /^Subject: (.*)$/m.exec(message)?.[1] ?? ''
}

/** The user and the token of the link in an email's body. */
export function linkIn(body: string) {
  const [, userId = '', token = ''] = /\/authentication\/[\w-]+\/([^/\s]+)\/([\w-]{43})/.exec(body) ?? []
  return { userId, token }
}

/** The body of an email, with its soft line breaks removed. */
export function bodyOf(message: string) {
  const body = message.slice(message.indexOf('\r\n\r\n') + 4)
  return body.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}
