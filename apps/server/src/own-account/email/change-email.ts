import type { pendingEmail } from '@portcullis/contract/calls/own-account'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../../database/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { endEmailLinks, linkHours, makeEmailLink, type Purpose } from './email-links.ts'
import { demandFewMails } from '../../mail/mail-limits.ts'

const sides: Purpose[] = ['change_old', 'change_new']

type Asked = { person: string; email: string; address: string }

/**
 * Asks for another e-mail: both addresses get a link, and a change that waited is replaced. Where somebody else has the
 * address nothing is sent there; the answer is the same, for it is nobody's business who has which address.
 */
export function askForEmail(database: Database, { person, email, address }: Asked) {
  return database.asSystem(async (tx) => {
    const found = await tx.first(
      z.object({ email: z.string(), isTaken: z.boolean() }),
      sql`select person_email as email,
             exists (select from person other where other.person_email = ${email}) as "isTaken"
            from person where person_id = ${person} for no key update`,
    )
    if (!found) throw new AppError('not_found')
    if (found.email === email) throw new AppError('same_email', {}, { at: ['email'] })
    await demandFewMails(tx, { person, address, of: 'email' })
    await takeBack(tx, person)
    await tx.run(sql`insert into email_change (email_change_person, email_change_email, email_change_expires_at)
      values (${person}, ${email}, now() + make_interval(hours => ${linkHours}))`)
    const asked = { person, address }
    const old = await makeEmailLink(tx, { ...asked, purpose: 'change_old', email: found.email })
    await queueMail(tx, { person, content: { kind: 'email_change_old', token: old, newEmail: email } })
    const next = await makeEmailLink(tx, { ...asked, purpose: 'change_new', email })
    if (found.isTaken) return
    await queueMail(tx, {
      person,
      address: email,
      content: { kind: 'email_change_new', token: next, newEmail: email },
    })
  })
}

/** The change that waits, or null. */
export async function waitingEmail(database: Database, person: string): Promise<z.output<typeof pendingEmail.output>> {
  const found = await database.asSystem((tx) => tx.first(waiting, waitingOf(person)))
  return found ?? null
}

/** Takes back the change that waits, if there is one; its links are dead. */
export function takeBackEmail(database: Database, person: string) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`select 1 from person where person_id = ${person} for no key update`)
    await takeBack(tx, person)
  })
}

async function takeBack(tx: Transaction, person: string) {
  await endEmailLinks(tx, { person, purposes: sides })
  await tx.run(sql`delete from email_change where email_change_person = ${person}`)
}

const waiting = z.object({
  email: z.string(),
  oldConfirmed: z.boolean(),
  newConfirmed: z.boolean(),
  expiresAt: z.string(),
})

function waitingOf(person: string) {
  return sql`
    select email_change_email as email, email_change_old_confirmed_at is not null as "oldConfirmed",
           email_change_new_confirmed_at is not null as "newConfirmed", email_change_expires_at as "expiresAt"
      from email_change where email_change_person = ${person} and email_change_expires_at > now()`
}
