import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** So many mails with a link go out in an hour for one person, and for one address that asks. */
const limits = { perPerson: 5, perAddress: 20 } as const

/**
 * Whether a person, or an address, has had enough mails with links of this table. The person's row is locked by the caller, and
 * the address here, so that requests at the same moment are counted too.
 */
export async function hasHadEnough(tx: Transaction, { person, address, of }: Asked) {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${of} ${address}`}, 0))`)
  const sent = await tx.first(counts, of === 'password-reset' ? resets(person, address) : emails(person, address))
  return !sent || sent.toPerson >= limits.perPerson || sent.fromAddress >= limits.perAddress
}

/** The same for those who may be told. */
export async function demandFewMails(tx: Transaction, asked: Asked) {
  if (!(await hasHadEnough(tx, asked))) return
  throw new AppError(
    'too_many',
    {},
    {
      retryAfterSeconds: 3_600,
    },
  )
}

type Asked = { person: string; address: string; of: 'password-reset' | 'email' }

const counts = z.object({ toPerson: z.number(), fromAddress: z.number() })

function resets(person: string, address: string) {
  return sql`
    select (select count(*) from password_reset where password_reset_person = ${person}
               and password_reset_address is not null
               and password_reset_created_at > now() - interval '1 hour') as "toPerson",
           (select count(*) from password_reset where password_reset_address = ${address}
               and password_reset_created_at > now() - interval '1 hour') as "fromAddress"`
}

/** A change of e-mail sends two mails, and is one. */
function emails(person: string, address: string) {
  return sql`
    select (select count(*) from email_link where email_link_person = ${person} and email_link_purpose <> 'change_new'
               and email_link_created_at > now() - interval '1 hour') as "toPerson",
           (select count(*) from email_link where email_link_address = ${address} and email_link_purpose <> 'change_new'
               and email_link_created_at > now() - interval '1 hour') as "fromAddress"`
}
