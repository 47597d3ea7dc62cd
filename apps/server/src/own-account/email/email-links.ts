import sql from 'sql-template-tag'
import type { Transaction } from '../../database/database.ts'
import { hashOfToken, makeToken } from '../../sessions/token.ts'

export const emailLinkPurposes = ['verify', 'change_old', 'change_new'] as const
export type Purpose = (typeof emailLinkPurposes)[number]

/** Lifetime of a link that confirms an email, and of a pending change of email. */
export const linkHours = 24

type EmailLinkInput = {
  person: string
  purpose: Purpose
  email: string
  /** The IP address of the request. */
  address: string
}

/** Makes a link that confirms an email, and returns its token. The caller has locked the user's row. */
export async function makeEmailLink(tx: Transaction, { person, purpose, email, address }: EmailLinkInput) {
  const token = makeToken()
  await tx.run(sql`insert into email_link (email_link_token_hash, email_link_person, email_link_purpose, email_link_email,
      email_link_address, email_link_expires_at)
    values (${hashOfToken(token)}, ${person}, ${purpose}, ${email}, ${address}, now() + make_interval(hours => ${linkHours}))`)
  return token
}

/** Ends the user's links for these purposes, and deletes those that expired over a day ago. */
export async function endEmailLinks(tx: Transaction, { person, purposes }: { person: string; purposes: Purpose[] }) {
  await tx.run(sql`delete from email_link where email_link_person = ${person}
    and email_link_expires_at < now() - interval '1 day'`)
  await tx.run(sql`update email_link set email_link_ended_at = now()
    where email_link_person = ${person} and email_link_purpose = any(${purposes}::text[]) and email_link_ended_at is null`)
}
