import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { hashOfToken, makeToken } from '../sessions/token.ts'

const resetMinutes = 60
const invitationDays = 7

/** The locks' order is everybody's: the person is locked by the caller, then their links. */
type Reset = { person: string; address: string; hasPassword: boolean }

/** Mails a link that sets another password. Of who has none yet it also proves the e-mail, as an invitation does. */
export async function mailReset(tx: Transaction, { person, address, hasPassword }: Reset) {
  const token = makeToken()
  await endLinks(tx, person)
  await tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_address,
      password_reset_invites, password_reset_expires_at)
    values (${hashOfToken(token)}, ${person}, ${address}, ${!hasPassword}, now() + make_interval(mins => ${resetMinutes}))`)
  await queueMail(tx, { person, content: { kind: 'reset', token } })
}

/** Invites somebody again. */
export async function inviteAgain(tx: Transaction, invited: Invited & { address: string }) {
  await endLinks(tx, invited.person)
  await invite(tx, invited)
}

type Invited = {
  person: string
  /** The name of the account that invites. */
  account: string
  /** Where it was asked for again. */
  address?: string
}

/**
 * Invites somebody whom an account has created: not who came back to it and was known all the time, at home elsewhere or with
 * an e-mail that they have confirmed. For the role that creates people.
 */
export async function inviteNew(tx: Transaction, { person, account }: { person: string; account: Home }) {
  const isNew = await tx.run(sql`select from person
    where person_id = ${person} and person_home = ${account.key} and not person_verified`)
  if (isNew === 1) await invite(tx, { person, account: account.name })
}

type Home = { key: number; name: string }

/** Mails somebody a link with which they set their first password. */
async function invite(tx: Transaction, { person, account, address }: Invited) {
  const token = makeToken()
  await tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_address,
      password_reset_invites, password_reset_expires_at)
    values (${hashOfToken(token)}, ${person}, ${address ?? null}, true, now() + make_interval(days => ${invitationDays}))`)
  await queueMail(tx, { person, content: { kind: 'invitation', token, account } })
}

/** A newer link ends those of before; what is long over is counted no more. */
async function endLinks(tx: Transaction, person: string) {
  await tx.run(sql`delete from password_reset where password_reset_person = ${person}
    and password_reset_expires_at < now() - interval '1 day'`)
  await tx.run(sql`update password_reset set password_reset_ended_at = now()
    where password_reset_person = ${person} and password_reset_ended_at is null`)
}
