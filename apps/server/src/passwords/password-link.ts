import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { hashOfToken, makeToken } from '../sessions/token.ts'

const resetMinutes = 60
const invitationDays = 7

/** All transactions lock in this order: the user, by the caller, then their links. */
type MailResetInput = { person: string; address: string; hasPassword: boolean }

/**
 * Emails a link that sets a new password. For a user without a password it also confirms the email, like an invitation.
 */
export async function mailReset(tx: Transaction, { person, address, hasPassword }: MailResetInput) {
  const token = makeToken()
  await endLinks(tx, person)
  await tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_address,
      password_reset_invites, password_reset_expires_at)
    values (${hashOfToken(token)}, ${person}, ${address}, ${!hasPassword}, now() + make_interval(mins => ${resetMinutes}))`)
  await queueMail(tx, { person, content: { kind: 'reset', token } })
}

/** Replaces the user's earlier invitation. */
export async function inviteAgain(tx: Transaction, invitation: InviteInput & { address: string }) {
  await endLinks(tx, invitation.person)
  await invite(tx, invitation)
}

type InviteInput = {
  person: string
  /** The name of the inviting account. */
  account: string
  /** The IP address of the request for another invitation. */
  address?: string
}

/**
 * Invites a user that an account has just created. A user who already existed is not invited: their home is another
 * account, or they have confirmed their email. Runs as the database role that creates users.
 */
export async function inviteNew(tx: Transaction, { person, account }: { person: string; account: HomeAccount }) {
  const isNew = await tx.run(sql`select from person
    where person_id = ${person} and person_home = ${account.key} and not person_verified`)
  if (isNew === 1) await invite(tx, { person, account: account.name })
}

type HomeAccount = { key: number; name: string }

/** Emails a user the link that sets their first password. */
async function invite(tx: Transaction, { person, account, address }: InviteInput) {
  const token = makeToken()
  await tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_address,
      password_reset_invites, password_reset_expires_at)
    values (${hashOfToken(token)}, ${person}, ${address ?? null}, true, now() + make_interval(days => ${invitationDays}))`)
  await queueMail(tx, { person, content: { kind: 'invitation', token, account } })
}

/** Ends the user's earlier links, and deletes those that expired over a day ago. */
async function endLinks(tx: Transaction, person: string) {
  await tx.run(sql`delete from password_reset where password_reset_person = ${person}
    and password_reset_expires_at < now() - interval '1 day'`)
  await tx.run(sql`update password_reset set password_reset_ended_at = now()
    where password_reset_person = ${person} and password_reset_ended_at is null`)
}
