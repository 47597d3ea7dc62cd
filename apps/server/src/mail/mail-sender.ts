import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { claimMails, type ClaimedMail, recordDelivered, recordDeliveryFailure } from './claimed-mails.ts'
import { composeMail } from './compose-mail.ts'
import { logoOf } from './logo-of.ts'
import { mailBrand } from './mail-brand.ts'
import { mailContent } from './mail-content.ts'
import type { SendMail } from './send-mail.ts'

/** Looks every 2 s for emails that other servers have queued, and for retries that are due. */
const pollMs = 2_000
/** A stopping server waits at most 20 s for a slow mail server: another server, or the next start, continues. */
const longestStopMs = 20_000

type MailSenderOptions = { database: Database; sendMail: SendMail; ownUrl: () => string; log: FastifyBaseLogger }

/**
 * Sends queued emails. `hint` reports that there may be new ones; `stop` waits until those already queued have been
 * tried once, but at most `longestStopMs`.
 */
export function startMailSender({ database, sendMail, ownUrl, log }: MailSenderOptions) {
  let underway: Promise<void> | undefined
  let isHinted = false
  let isStopping = false
  const timer = setInterval(hint, pollMs)
  return {
    hint,
    async stop() {
      clearInterval(timer)
      const last = setTimeout(() => (isStopping = true), longestStopMs)
      hint()
      await underway
      clearTimeout(last)
    },
  }

  function hint() {
    isHinted = true
    underway ??= sendAll()
      .catch((error: unknown) => log.warn({ err: error }, 'reading queued emails failed; will retry'))
      .finally(() => (underway = undefined))
  }

  async function sendAll() {
    while (isHinted) {
      isHinted = false
      let mails = await claimMails(database)
      while (mails.length > 0) {
        await Promise.all(mails.map(send))
        mails = isStopping ? [] : await claimMails(database)
      }
    }
  }

  async function send(mail: ClaimedMail) {
    const { id, person, name, address, language } = mail
    const to = { person, name, email: address, language }
    try {
      const content = mailContent.parse(mail.content)
      const brand = await mailBrand(database, person)
      const composed = composeMail({ brand, url: ownUrl(), to, content })
      const as = await sendMail({
        sender: brand.product,
        to: { name, address },
        logo: await logoOf(brand),
        ...composed,
      })
      await recordDelivered(database, { id, as })
    } catch (error) {
      // Does not log the error, because a mail server's answer may repeat the email.
      const { problem, isFinal } = refusalIn(error)
      log.warn({ mail: id, attempt: mail.attempt, isFinal }, 'sending an email failed')
      await recordDeliveryFailure(database, { mail, problem, isFinal })
    }
  }
}

const refusal = z.object({
  code: z.string().optional(),
  responseCode: z.int().optional(),
  response: z.string().optional(),
})

/** A mail server refuses an email for good with 5xx for its addresses or its text (RFC 5321, 4.2.1). */
function refusalIn(error: unknown) {
  const { code, responseCode = 0, response } = refusal.safeParse(error).data ?? {}
  const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { problem: response ?? (error instanceof Error ? error.message : String(error)), isFinal }
}
