import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { noticeTo } from '../mail/notice-to.ts'
import { demandStrongPassword } from '../passwords/demand-strong-password.ts'
import { linkEnded, parseLink } from '../mail/link.ts'
import { hashPassword } from '../passwords/password.ts'
import { setPassword } from '../passwords/set-password.ts'
import { type From, tellOfPerson } from '../sessions/tell-sign-in.ts'
import { hashOfToken } from '../sessions/token.ts'

type Asked = From & { person: string; token: string; password: string }

/**
 * Sets the password of the person whose link this is, and answers their `_id`. A link that was cut short or never was is told
 * like one that has ended. A first password makes nobody worry: its notice is left out.
 */
export async function resetPassword(database: Database, { password, address, device, ...asked }: Asked) {
  const link = parseLink(asked)
  const owner = await findOwner(database, link)
  if (!owner) throw linkEnded()
  await demandStrongPassword({ password, field: 'password', owner })
  const hash = await hashPassword(password)
  const { person, token } = link
  await database.asSystem(async (tx) => {
    // The order in which everybody locks: the person, then their links.
    const before = await tx.first(
      z.object({ hasPassword: z.boolean() }),
      sql`select person_password_hash is not null as "hasPassword" from person where person_id = ${person}
             for no key update`,
    )
    const used = await tx.first(
      z.object({ invites: z.boolean() }),
      sql`update password_reset set password_reset_ended_at = now()
           where password_reset_token_hash = ${hashOfToken(token)} and password_reset_person = ${person}
             and password_reset_ended_at is null and password_reset_expires_at > now()
       returning password_reset_invites as invites`,
    )
    // An invitation is for who has no password yet: with one, it would be a way in for whoever invited them.
    if (!before || !used || (used.invites && before.hasPassword)) throw linkEnded()
    await setPassword(tx, { person, hash })
    if (used.invites) await tx.run(sql`update person set person_verified = true where person_id = ${person}`)
    if (before.hasPassword) await noticeTo(tx, person, 'password_changed')
    await tellOfPerson(tx, { person, address, device, as: 'password_reset' })
  })
  return person
}

const ownerRow = z.object({ name: z.string(), email: z.string().nullable() })

function findOwner(database: Database, { person, token }: { person: string; token: string }) {
  return database.asSystem((tx) =>
    tx.first(
      ownerRow,
      sql`select person_name as name, person_email as email
            from password_reset join person on person_id = password_reset_person
           where password_reset_token_hash = ${hashOfToken(token)} and person_id = ${person}
             and password_reset_ended_at is null and password_reset_expires_at > now()`,
    ),
  )
}
