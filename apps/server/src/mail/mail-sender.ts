import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { claimMails, type ClaimedMail, noteDelivered, noteFailed } from './claimed-mails.ts'
import { composeMail } from './compose-mail.ts'
import { logoOf } from './logo-of.ts'
import { mailBrand } from './mail-brand.ts'
import { mailContent } from './mail-content.ts'
import type { SendMail } from './send-mail.ts'

/** What other servers have queued, and what is due again, is looked for so often. */
const everyMs = 2_000
/** A server that stops does not wait longer for a mail server that is slow: another server, or the next start, goes on. */
const lastMs = 20_000

type Parts = { database: Database; sendMail: SendMail; ownUrl: () => string; log: FastifyBaseLogger }

/**
 * Sends what is queued. `hint` says that there may be something; `stop` waits until what was queued before has been
 * tried once, if that goes quickly.
 */
export function startMailSender({ database, sendMail, ownUrl, log }: Parts) {
  let underway: Promise<void> | undefined
  let isAskedAgain = false
  let isOver = false
  const timer = setInterval(hint, everyMs)
  return {
    hint,
    async stop() {
      clearInterval(timer)
      const last = setTimeout(() => (isOver = true), lastMs)
      hint()
      await underway
      clearTimeout(last)
    },
  }

  function hint() {
    isAskedAgain = true
    underway ??= sendAll()
      .catch((error: unknown) => log.warn({ err: error }, 'mail could not be read; trying again soon'))
      .finally(() => (underway = undefined))
  }

  async function sendAll() {
    while (isAskedAgain) {
      isAskedAgain = false
      let mails = await claimMails(database)
      while (mails.length > 0) {
        await Promise.all(mails.map(send))
        mails = isOver ? [] : await claimMails(database)
      }
    }
  }

  async function send(mail: ClaimedMail) {
    const { id, person, name, address } = mail
    const to = { person, name, email: address }
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
      await noteDelivered(database, { id, as })
    } catch (error) {
      // Without its fields: a mail server's answer may repeat the mail.
      const { problem, isFinal } = refusalIn(error)
      log.warn({ mail: id, attempt: mail.attempt, isFinal }, 'a mail could not be sent')
      await noteFailed(database, { mail, problem, isFinal })
    }
  }
}

const refusal = z.object({
  code: z.string().optional(),
  responseCode: z.int().optional(),
  response: z.string().optional(),
})

/** A mail server that refuses this mail for good says 5xx of its addresses or its text (RFC 5321, 4.2.1). */
function refusalIn(error: unknown) {
  const { code, responseCode = 0, response } = refusal.safeParse(error).data ?? {}
  const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { problem: response ?? (error instanceof Error ? error.message : String(error)), isFinal }
}
