import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { MailContent } from '../mail/mail-content.ts'
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

type InviteNewInput = { person: string; account: HomeAccount; invitedBy: string }

/**
 * Invites a user that an account has just created: to choose a password, or, if they sign in elsewhere, to accept the
 * membership. Both take the same statements, so that the duration does not reveal which. A user whose home account has
 * created them again with a confirmed email is not invited. Runs as the database role that creates users.
 */
export async function inviteNew(tx: Transaction, { person, account, invitedBy }: InviteNewInput) {
  const found = await tx.first(
    z.object({ waits: z.boolean(), isNew: z.boolean() }),
    sql`select membership_waits as waits, person_home = ${account.key} and not person_verified as "isNew"
          from membership join person on person_id = membership_user
         where membership_user = ${person} and membership_account = ${account.key}`,
  )
  if (found?.waits) await inviteMember(tx, { user: person, account, invitedBy })
  else if (found?.isNew) await invite(tx, { person, account: account.name })
}

type InviteMemberInput = {
  /** The user as the account knows them, who may have another identity. */
  user: string
  account: HomeAccount
  invitedBy: string
  /** The IP address of the request for another invitation. */
  address?: string
}

/** Emails a user who signs in elsewhere the link to accept a membership. Replaces the earlier invitation. */
export async function inviteMember(tx: Transaction, { user, account, invitedBy, address }: InviteMemberInput) {
  const token = makeToken()
  const content: MailContent = { kind: 'membership', token, account: account.name, invitedBy }
  await tx.run(sql`select invite_member(${uuidv7()}, ${uuidv7()}, ${user}, ${account.key}, ${hashOfToken(token)},
    ${invitedBy}, ${address ?? null}, ${JSON.stringify(content)}::jsonb, ${invitationDays})`)
}

type HomeAccount = { key: number; name: string }

/** Emails a user the link that sets their first password. */
export async function invite(tx: Transaction, { person, account, address }: InviteInput) {
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
