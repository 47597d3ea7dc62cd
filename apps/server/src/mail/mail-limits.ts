import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** The hourly limits for emails with a link, per user and per requesting IP address. */
const limits = { perPerson: 5, perAddress: 20 } as const

/**
 * Whether a user, or an address, has reached the limit for emails with links of this table. The caller has locked the
 * user's row, and this locks the address, so that concurrent requests are counted too.
 */
export async function hasReachedMailLimit(tx: Transaction, { person, address, of }: MailLimitInput) {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${of} ${address}`}, 0))`)
  const sent = await tx.first(counts, of === 'password-reset' ? resets(person, address) : emails(person, address))
  return !sent || sent.toPerson >= limits.perPerson || sent.fromAddress >= limits.perAddress
}

/** Fails with 429 at the limit, for calls whose answer may reveal that the user exists. */
export async function demandBelowMailLimit(tx: Transaction, input: MailLimitInput) {
  if (!(await hasReachedMailLimit(tx, input))) return
  throw new AppError(
    'too_many',
    {},
    {
      retryAfterSeconds: 3_600,
    },
  )
}

type MailLimitInput = { person: string; address: string; of: 'password-reset' | 'email' }

const counts = z.object({ toPerson: z.number(), fromAddress: z.number() })

/** Invitations to accept a membership count too: to the account they are the same as those to choose a password. */
function resets(person: string, address: string) {
  return sql`
    select (select count(*) from password_reset where password_reset_person = ${person}
               and password_reset_address is not null
               and password_reset_created_at > now() - interval '1 hour')
         + (select count(*) from membership_invitation where membership_invitation_user = ${person}
               and membership_invitation_address is not null
               and membership_invitation_created_at > now() - interval '1 hour') as "toPerson",
           (select count(*) from password_reset where password_reset_address = ${address}
               and password_reset_created_at > now() - interval '1 hour')
         + (select count(*) from membership_invitation where membership_invitation_address = ${address}
               and membership_invitation_created_at > now() - interval '1 hour') as "fromAddress"`
}

/** A change of email sends two emails but counts once. */
function emails(person: string, address: string) {
  return sql`
    select (select count(*) from email_link where email_link_person = ${person} and email_link_purpose <> 'change_new'
               and email_link_created_at > now() - interval '1 hour') as "toPerson",
           (select count(*) from email_link where email_link_address = ${address} and email_link_purpose <> 'change_new'
               and email_link_created_at > now() - interval '1 hour') as "fromAddress"`
}
