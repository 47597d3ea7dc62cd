import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import { hashPassword } from './password.ts'
import { setPassword } from './set-password.ts'
import { hashOfToken, isToken } from './token.ts'

const link = z.object({ person: z.uuid(), token: z.string().refine(isToken) })

type Asked = { person: string; token: string; password: string }

/** Sets the password of the person whose link this is. A link that was cut short or never was is told like one that has ended. */
export async function resetPassword(database: Database, { password, ...asked }: Asked) {
  const { data } = link.safeParse(asked)
  const owner = data && (await findOwner(database, data))
  if (!owner) throw linkEnded()
  if (isTheirName(password, owner)) {
    const message = 'The password must not be your name or your email.'
    throw new AppError('refused', message, { fields: { password: message } })
  }
  const hash = await hashPassword(password)
  const { person, token } = data
  const isFirstUse = await database.asSystem(async (tx) => {
    // The order in which everybody locks: the person, then their links.
    await tx.run(sql`select 1 from person where person_id = ${person} for no key update`)
    const ended = await tx.run(sql`update password_reset set password_reset_ended_at = now()
      where password_reset_token_hash = ${hashOfToken(token)} and password_reset_person = ${person}
        and password_reset_ended_at is null and password_reset_expires_at > now()`)
    if (ended === 1) await setPassword(tx, { person, hash })
    return ended === 1
  })
  if (!isFirstUse) throw linkEnded()
}

const ownerRow = z.object({ name: z.string(), email: z.string().nullable() })

function findOwner(database: Database, { person, token }: z.output<typeof link>) {
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

/** Capitals and spaces do not make another word of it. */
function isTheirName(password: string, { name, email }: z.output<typeof ownerRow>) {
  const given = plain(password)
  return [name, email ?? '', email?.split('@')[0] ?? ''].some((word) => plain(word) === given)
}

function plain(text: string) {
  return text.toLowerCase().replaceAll(/\s/g, '')
}

function linkEnded() {
  return new AppError('link_ended', 'This link has been used, has expired, or was replaced by a newer one.')
}
