import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import type { SendMail } from '../mail/send-mail.ts'
import { hashOfToken, makeToken } from './token.ts'

/** A link's life, and how many mails go out in an hour for one person, and for one address that asks. */
const limits = { linkMinutes: 60, perPerson: 5, perAddress: 20 } as const

type Parts = { database: Database; sendMail: SendMail; ownUrl: () => string }
type Asked = { email: string; address: string }

const personRow = z.object({ id: z.uuid(), name: z.string(), email: z.string() })
type Person = z.output<typeof personRow>

/** Sends a link that sets a new password to the person with this e-mail; to nobody where there is none, or after too many. */
export async function forgotPassword({ database, sendMail, ownUrl }: Parts, { email, address }: Asked) {
  const token = makeToken()
  const person = await database.asSystem(async (tx) => {
    const found = await tx.first(
      personRow,
      sql`select person_id as id, person_name as name, person_email as email
            from person where person_email = ${email} for no key update`,
    )
    if (!found || (await hasHadEnough(tx, { person: found.id, address }))) return undefined
    await replaceLink(tx, { person: found.id, address, token })
    return found
  })
  if (person) await sendMail(mailFor(person, `${ownUrl()}/authentication/password-reset/${person.id}/${token}`))
}

/** The person's row is locked by the caller, and the address here, so that requests at the same moment are counted too. */
async function hasHadEnough(tx: Transaction, { person, address }: { person: string; address: string }) {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`password-reset ${address}`}, 0))`)
  const sent = await tx.first(
    z.object({ toPerson: z.number(), fromAddress: z.number() }),
    sql`select (select count(*) from password_reset where password_reset_person = ${person}
                  and password_reset_created_at > now() - interval '1 hour') as "toPerson",
               (select count(*) from password_reset where password_reset_address = ${address}
                  and password_reset_created_at > now() - interval '1 hour') as "fromAddress"`,
  )
  return !sent || sent.toPerson >= limits.perPerson || sent.fromAddress >= limits.perAddress
}

type Link = { person: string; address: string; token: string }

async function replaceLink(tx: Transaction, { person, address, token }: Link) {
  await tx.run(sql`delete from password_reset where password_reset_person = ${person}
    and password_reset_created_at < now() - interval '1 day'`)
  await tx.run(sql`update password_reset set password_reset_ended_at = now()
    where password_reset_person = ${person} and password_reset_ended_at is null`)
  await tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_address,
      password_reset_expires_at)
    values (${hashOfToken(token)}, ${person}, ${address}, now() + make_interval(mins => ${limits.linkMinutes}))`)
}

function mailFor({ name, email }: Person, link: string) {
  const text = [
    `Hello ${name},`,
    `Somebody, most likely you, has asked for a new password for ${email}. This link sets it:`,
    link,
    'It works once, within an hour. If you did not ask for it, you need do nothing: your password stays as it is.',
    'Portcullis',
  ].join('\n\n')
  return { to: { name, address: email }, subject: 'Reset your Portcullis password', text: `${text}\n` }
}
