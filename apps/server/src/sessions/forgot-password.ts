import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { hashOfToken, makeToken } from './token.ts'

/** A link's life, and how many mails go out in an hour for one person, and for one address that asks. */
const limits = { linkMinutes: 60, perPerson: 5, perAddress: 20 } as const

type Asked = { email: string; address: string }

/** Sends a link that sets a new password to the person with this e-mail; to nobody where there is none, or after too many. */
export async function forgotPassword(database: Database, { email, address }: Asked) {
  const token = makeToken()
  await database.asSystem(async (tx) => {
    const found = await tx.first(
      z.object({ id: z.uuid() }),
      sql`select person_id as id from person where person_email = ${email} for no key update`,
    )
    if (!found || (await hasHadEnough(tx, { person: found.id, address }))) return
    await replaceLink(tx, { person: found.id, address, token })
    await queueMail(tx, { person: found.id, content: { kind: 'reset', token } })
  })
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
