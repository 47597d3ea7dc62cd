import sql from 'sql-template-tag'
import type { Transaction } from '../../database/database.ts'
import { hashOfToken, makeToken } from '../../sessions/token.ts'

export const emailLinkPurposes = ['verify', 'change_old', 'change_new'] as const
export type Purpose = (typeof emailLinkPurposes)[number]

/** How long a link that confirms an e-mail works, and a change of e-mail waits. */
export const linkHours = 24

type Link = {
  person: string
  purpose: Purpose
  email: string
  /** Where it was asked from. */
  address: string
}

/** Makes a link that confirms an e-mail, and answers its secret; the person is locked by the caller. */
export async function makeEmailLink(tx: Transaction, { person, purpose, email, address }: Link) {
  const token = makeToken()
  await tx.run(sql`insert into email_link (email_link_token_hash, email_link_person, email_link_purpose, email_link_email,
      email_link_address, email_link_expires_at)
    values (${hashOfToken(token)}, ${person}, ${purpose}, ${email}, ${address}, now() + make_interval(hours => ${linkHours}))`)
  return token
}

/** Ends the links of a person for these purposes; what is long over is counted no more. */
export async function endEmailLinks(tx: Transaction, { person, purposes }: { person: string; purposes: Purpose[] }) {
  await tx.run(sql`delete from email_link where email_link_person = ${person}
    and email_link_expires_at < now() - interval '1 day'`)
  await tx.run(sql`update email_link set email_link_ended_at = now()
    where email_link_person = ${person} and email_link_purpose = any(${purposes}::text[]) and email_link_ended_at is null`)
}
