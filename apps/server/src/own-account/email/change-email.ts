import type { pendingEmail } from '@portcullis/contract/calls/own-account'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../../database/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { endEmailLinks, linkHours, makeEmailLink, type Purpose } from './email-links.ts'
import { demandBelowMailLimit } from '../../mail/mail-limits.ts'

const sides: Purpose[] = ['change_old', 'change_new']

type AskForEmailInput = { person: string; email: string; address: string }

/**
 * Requests a change of email: both addresses get a link, and an earlier pending change is replaced. If another user has
 * the address, nothing is sent there, but the answer is the same, so that it does not reveal who uses the address.
 */
export function requestEmailChange(database: Database, { person, email, address }: AskForEmailInput) {
  return database.asSystem(async (tx) => {
    const found = await tx.first(
      z.object({ email: z.string(), isTaken: z.boolean() }),
      sql`select person_email as email,
             exists (select from person other where other.person_email = ${email}) as "isTaken"
            from person where person_id = ${person} for no key update`,
    )
    if (!found) throw new AppError('not_found')
    if (found.email === email) throw new AppError('same_email', {}, { at: ['email'] })
    await demandBelowMailLimit(tx, { person, address, of: 'email' })
    await cancelChange(tx, person)
    await tx.run(sql`insert into email_change (email_change_person, email_change_email, email_change_expires_at)
      values (${person}, ${email}, now() + make_interval(hours => ${linkHours}))`)
    const linkInput = { person, address }
    const old = await makeEmailLink(tx, { ...linkInput, purpose: 'change_old', email: found.email })
    await queueMail(tx, { person, content: { kind: 'email_change_old', token: old, newEmail: email } })
    const next = await makeEmailLink(tx, { ...linkInput, purpose: 'change_new', email })
    if (found.isTaken) return
    await queueMail(tx, {
      person,
      address: email,
      content: { kind: 'email_change_new', token: next, newEmail: email },
    })
  })
}

/** The pending change, or null. */
export async function readPendingEmail(
  database: Database,
  person: string,
): Promise<z.output<typeof pendingEmail.output>> {
  const found = await database.asSystem((tx) => tx.first(pendingRow, pendingChangeOf(person)))
  return found ?? null
}

/** Cancels the pending change, if there is one, and ends its links. */
export function takeBackEmail(database: Database, person: string) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`select 1 from person where person_id = ${person} for no key update`)
    await cancelChange(tx, person)
  })
}

async function cancelChange(tx: Transaction, person: string) {
  await endEmailLinks(tx, { person, purposes: sides })
  await tx.run(sql`delete from email_change where email_change_person = ${person}`)
}

const pendingRow = z.object({
  email: z.string(),
  oldConfirmed: z.boolean(),
  newConfirmed: z.boolean(),
  expiresAt: z.string(),
})

function pendingChangeOf(person: string) {
  return sql`
    select email_change_email as email, email_change_old_confirmed_at is not null as "oldConfirmed",
           email_change_new_confirmed_at is not null as "newConfirmed", email_change_expires_at as "expiresAt"
      from email_change where email_change_person = ${person} and email_change_expires_at > now()`
}
