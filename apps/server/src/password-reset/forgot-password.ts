import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { hasHadEnough } from '../mail/mail-limits.ts'
import { mailReset } from '../passwords/password-link.ts'

type Asked = { email: string; address: string }

/** Sends a link that sets a new password to the person with this e-mail; to nobody where there is none, or after too many. */
export function forgotPassword(database: Database, { email, address }: Asked) {
  return database.asSystem(async (tx) => {
    const found = await tx.first(
      z.object({ id: z.uuid(), hasPassword: z.boolean() }),
      sql`select person_id as id, person_password_hash is not null as "hasPassword"
            from person where person_email = ${email} for no key update`,
    )
    if (!found || (await hasHadEnough(tx, { person: found.id, address, of: 'password-reset' }))) return
    await mailReset(tx, { person: found.id, address, hasPassword: found.hasPassword })
  })
}
