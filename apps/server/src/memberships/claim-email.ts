import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { invite, inviteMember } from '../passwords/password-link.ts'

type ClaimEmailInput = {
  /** The user that an account has created with the email. */
  user: string
  /** The identity that has the email. */
  person: string
  account: { name: string }
}

/**
 * The link of an invitation proves access to the email. If the identity that has the email has never confirmed it, the
 * invited user gets it instead and chooses a password, and that identity waits for acceptance in its accounts. Returns
 * whether this is the case.
 */
export async function claimUnconfirmedEmail(tx: Transaction, { user, person, account }: ClaimEmailInput) {
  await tx.run(sql`select sign_in_of(person_id, person_claimed_email) from person where person_id = ${user}`)
  const released = await tx.run(sql`update person set person_claimed_email = person_email, person_email = null,
      person_password_hash = null
    where person_id = ${person} and person_id <> ${user} and not person_verified and person_email is not null`)
  if (released === 0) return false
  await tx.run(sql`update password_reset set password_reset_ended_at = now()
    where password_reset_person = ${person} and password_reset_ended_at is null`)
  await tx.run(sql`update session set session_ended_at = now()
    where session_person = ${person} and session_ended_at is null`)
  await tx.run(sql`update membership set membership_waits = true where membership_user = ${person}`)
  await tx.run(sql`update person set person_email = person_claimed_email, person_claimed_email = null,
      person_verified = true
    where person_id = ${user}`)
  await tx.run(sql`update membership_invitation set membership_invitation_person = ${user}
    where membership_invitation_person = ${person} and membership_invitation_ended_at is null`)
  await invite(tx, { person: user, account: account.name })
  await inviteTo(tx, person)
  return true
}

const accountRow = z.object({ key: z.int(), name: z.string() })

/** Each account invites in its own name: the user who created the other user there may have left. */
async function inviteTo(tx: Transaction, user: string) {
  const accounts = await tx.rows(
    accountRow,
    sql`select account_key as key, account_name as name from membership join account on account_key = membership_account
         where membership_user = ${user} and membership_status = 'active' order by account_key`,
  )
  for (const account of accounts) await inviteMember(tx, { user, account, invitedBy: account.name })
}
