import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { endEmailLinks, makeEmailLink } from './email-links.ts'
import { demandFewMails } from '../mail/mail-limits.ts'
import { inviteAgain } from '../passwords/password-link.ts'

type Asked = { person: string; address: string }

/**
 * Mails somebody the link that confirms their e-mail; who has no password yet is invited again, which confirms it too. 422
 * where there is nothing to confirm.
 */
export function sendVerification(database: Database, { person, address }: Asked) {
  return database.asSystem(async (tx) => {
    const found = await tx.first(
      personRow,
      sql`select person_email as email, person_verified as verified, person_password_hash is not null as "hasPassword",
             account_name as account
            from person join account on account_key = person_home
           where person_id = ${person} for no key update of person`,
    )
    if (!found?.email) throw new AppError('no_email')
    const { email, verified, hasPassword, account } = found
    if (verified && hasPassword) throw new AppError('email_confirmed')
    await demandFewMails(tx, { person, address, of: hasPassword ? 'email' : 'password-reset' })
    if (!hasPassword) {
      await inviteAgain(tx, { person, account, address })
      return
    }
    await endEmailLinks(tx, { person, purposes: ['verify'] })
    const token = await makeEmailLink(tx, { person, purpose: 'verify', email, address })
    await queueMail(tx, { person, content: { kind: 'verification', token } })
  })
}

const personRow = z.object({
  email: z.string().nullable(),
  verified: z.boolean(),
  hasPassword: z.boolean(),
  account: z.string(),
})
