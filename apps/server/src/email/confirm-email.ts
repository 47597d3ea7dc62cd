import type { verifyEmail } from '@portcullis/contract/calls/own-account'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { emailLinkPurposes, endEmailLinks } from './email-links.ts'
import { linkEnded, parseLink } from '../mail/link.ts'
import { changeOwnPerson, lockHomeTree } from '../own-account/own-person.ts'
import { type From, tellOfPerson } from '../sessions/tell-sign-in.ts'
import { hashOfToken } from '../sessions/token.ts'

type Asked = From & { person: string; token: string; requestId: string }
type Outcome = z.output<typeof verifyEmail.output>['outcome']

/**
 * Confirms an e-mail, or one side of a change of e-mail, by the link of a mail; the side that comes last makes the change. 409
 * `taken` where somebody else was first to have the new address, which then waits no longer.
 */
export async function confirmEmail(
  database: Database,
  { requestId, address, device, ...asked }: Asked,
): Promise<Outcome> {
  const { person, token } = parseLink(asked)
  const outcome = await database.asSystem(async (tx) => {
    await lockHomeTree(tx, person)
    const owner = await tx.first(
      z.object({ email: z.string().nullable() }),
      sql`select person_email as email from person where person_id = ${person} for no key update`,
    )
    const used = await tx.first(linkRow, useOf(person, token))
    if (!owner?.email || !used) throw linkEnded()
    if (used.purpose !== 'verify')
      return confirmSide(tx, { person, requestId, used, email: owner.email, address, device })
    if (used.email !== owner.email) throw linkEnded()
    await tx.run(sql`update person set person_verified = true where person_id = ${person}`)
    return 'verified'
  })
  if (outcome === 'taken') throw new AppError('taken', { field: 'email' })
  return outcome
}

const linkRow = z.object({ purpose: z.enum(emailLinkPurposes), email: z.string() })

function useOf(person: string, token: string) {
  return sql`
    update email_link set email_link_ended_at = now()
     where email_link_token_hash = ${hashOfToken(token)} and email_link_person = ${person}
       and email_link_ended_at is null and email_link_expires_at > now()
 returning email_link_purpose as purpose, email_link_email as email`
}

type Side = From & { person: string; requestId: string; used: z.output<typeof linkRow>; email: string }

const changeRow = z.object({ email: z.string(), isWhole: z.boolean(), isTaken: z.boolean() })

async function confirmSide(tx: Transaction, { person, requestId, used, email, ...from }: Side) {
  const isOld = used.purpose === 'change_old'
  if (isOld && used.email !== email) throw linkEnded()
  const change = await tx.first(
    changeRow,
    sql`update email_change
           set email_change_old_confirmed_at = case when ${isOld} then now() else email_change_old_confirmed_at end,
               email_change_new_confirmed_at = case when ${isOld} then email_change_new_confirmed_at else now() end
         where email_change_person = ${person} and email_change_expires_at > now()
           and (${isOld} or email_change_email = ${used.email})
     returning email_change_email as email,
               email_change_old_confirmed_at is not null and email_change_new_confirmed_at is not null as "isWhole",
               exists (select from person where person_email = email_change_email) as "isTaken"`,
  )
  if (!change) throw linkEnded()
  if (!change.isWhole) return 'change_waits_for_other_address'
  await tx.run(sql`delete from email_change where email_change_person = ${person}`)
  await endEmailLinks(tx, { person, purposes: ['verify', 'change_old', 'change_new'] })
  if (change.isTaken) return 'taken'
  await changeOwnPerson(tx, { person, requestId, changes: { email: change.email } })
  await tx.run(sql`update person set person_verified = true where person_id = ${person}`)
  // Whoever still reads the mail of the old address sets no password by it.
  await tx.run(sql`update password_reset set password_reset_ended_at = now()
    where password_reset_person = ${person} and password_reset_ended_at is null`)
  await tellOfPerson(tx, { ...from, person, as: 'email_changed' })
  for (const address of [email, change.email]) {
    await queueMail(tx, { person, address, content: { kind: 'email_changed', newEmail: change.email } })
  }
  return 'changed'
}
