import * as calls from '@portcullis/contract/calls/own-account'
import { users } from '@portcullis/contract/collections/users'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { verifyEmail } from '@portcullis/contract/calls/own-account'
import { type Access, demand } from '../../abilities/access.ts'
import { readItem } from '../../collections/get.ts'
import { recordChangeOfItem } from '../../collections/record-change-of-item.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { AccessOf } from '../../http/access-of.ts'
import type { ServeCall } from '../../http/serve-call.ts'
import { missingStepOf, refusalFor } from '../../sessions/complete-sign-in.ts'
import type { SessionPerson } from '../../sessions/session-store.ts'
import { requestEmailChange, takeBackEmail, readPendingEmail } from './change-email.ts'
import { AppError } from '../../errors/app-error.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { emailLinkPurposes, endEmailLinks, makeEmailLink } from './email-links.ts'
import { demandBelowMailLimit } from '../../mail/mail-limits.ts'
import { inviteAgain, inviteMember } from '../../passwords/password-link.ts'
import { linkEnded, parseLink } from '../../mail/link.ts'
import { lockTree } from '../../history/lock-tree.ts'
import { changeOwnPerson, lockHomeTree } from '../own-person.ts'
import { type From, recordUserEvent } from '../../sessions/record-sign-in.ts'
import { hashOfToken } from '../../sessions/token.ts'

type EmailCallOptions = Pick<ServeCall, 'serveCall'> & { database: Database; accessOf: AccessOf }

/** Changing and confirming an email. */
export function registerEmailCalls(app: FastifyInstance, { database, serveCall, accessOf }: EmailCallOptions) {
  serveCall(app, calls.changeEmail, ({ request, person, input: { email } }) =>
    requestEmailChange(database, { person: person._id, email, address: request.ip }),
  )

  serveCall(app, calls.pendingEmail, async ({ person }) => readPendingEmail(database, person._id))

  serveCall(app, calls.takeBackEmail, async ({ person }) => takeBackEmail(database, person._id))

  serveCall(app, calls.sendVerification, async ({ request, reply, person, path }) => {
    const recipient = await recipientOf(request, { person, ...path })
    await sendVerification(database, { ...recipient, address: request.ip })
    reply.header('cache-control', 'no-store')
  })

  serveCall(app, calls.resendVerification, async ({ request, person, path }) => {
    const recipient = await recipientOf(request, { person, ...path })
    await sendVerification(database, { ...recipient, address: request.ip })
  })

  serveCall(app, calls.verifyEmail, async ({ request, reply, path: { id: person, token } }) => {
    reply.header('cache-control', 'no-store')
    const from = { address: request.ip, device: request.headers['user-agent'] }
    return { outcome: await confirmEmail(database, { person, token, requestId: request.id, ...from }) }
  })

  /** The current user; or another user that they manage, if their own sign-in is complete. */
  async function recipientOf(request: FastifyRequest, { person, id }: { person: SessionPerson; id: string }) {
    if (id === 'me' || id === person._id) return { person: person._id }
    const lack = missingStepOf(person)
    if (lack) throw refusalFor(lack)
    const access = await accessOf(request)
    demand(access, { action: 'manage', subject: users.subject })
    const { key } = access.account
    await database.inAccounts([key], (tx) => readItem(tx, { collection: users, accounts: [key], id }))
    return { person: id, access }
  }
}

type SendVerificationInput = {
  person: string
  address: string
  /** The rights of another user who requests the email. */
  access?: Access
}

/**
 * Emails the user the link that confirms their email. A user without a password is invited again instead, which also
 * confirms it, and so is one who has not accepted their membership. Fails with 422 if there is nothing to confirm. Each
 * request of another user has an audit log entry without values: it must not show whether it ended a claim.
 */
function sendVerification(database: Database, { person, address, access }: SendVerificationInput) {
  return database.asSystem(async (tx) => {
    if (!access) return mailVerification(tx, { person, address })
    const { account } = access
    lockTree(tx, { root: account.root, turn: 'beside' })
    if (await waitsForUser(tx, { person, account: account.key })) {
      await demandBelowMailLimit(tx, { person, address, of: 'password-reset' })
      await inviteMember(tx, { user: person, account, invitedBy: access.person.name, address })
    } else {
      await mailVerification(tx, { person, address })
    }
    await recordChangeOfItem(tx, {
      access,
      collection: users,
      account: account.key,
      item: person,
      action: 'patch',
      before: {},
      after: {},
      undoes: undefined,
      furtherChanges: [],
    })
  })
}

async function mailVerification(tx: Transaction, { person, address }: { person: string; address: string }) {
  const found = await tx.first(
    personRow,
    sql`select person_email as email, person_verified as verified, person_password_hash is not null as "hasPassword",
             account_name as account
            from person join account on account_key = person_home
           where person_id = ${person} for no key update of person`,
  )
  if (!found?.email) throw new AppError('no_email')
  const { email, verified, hasPassword, account } = found
  if (verified && hasPassword) throw new AppError('email_confirmed')
  await demandBelowMailLimit(tx, { person, address, of: hasPassword ? 'email' : 'password-reset' })
  if (!hasPassword) {
    await inviteAgain(tx, { person, account, address })
    return
  }
  await endEmailLinks(tx, { person, purposes: ['verify'] })
  const token = await makeEmailLink(tx, { person, purpose: 'verify', email, address })
  await queueMail(tx, { person, content: { kind: 'verification', token } })
}

/**
 * Whether the user has to accept the membership. If the email with which the account created them no longer belongs to
 * another user, they sign in with it themselves, and the invitations of that user end.
 */
async function waitsForUser(tx: Transaction, { person, account }: { person: string; account: number }) {
  await tx.run(sql`select from person where person_id = ${person} for no key update`)
  const freed = await tx.run(sql`update person set person_email = person_claimed_email, person_claimed_email = null
    where person_id = ${person} and person_claimed_email is not null
      and sign_in_of(person_id, person_claimed_email) = 'new'`)
  if (freed === 1) {
    await tx.run(sql`update membership set membership_waits = false where membership_user = ${person}`)
    await tx.run(sql`update membership_invitation set membership_invitation_ended_at = now()
      where membership_invitation_user = ${person} and membership_invitation_ended_at is null`)
  }
  const waiting = await tx.run(sql`select from membership
    where membership_user = ${person} and membership_account = ${account} and membership_waits`)
  return waiting === 1
}

const personRow = z.object({
  email: z.string().nullable(),
  verified: z.boolean(),
  hasPassword: z.boolean(),
  account: z.string(),
})

type ConfirmInput = From & { person: string; token: string; requestId: string }
type Outcome = z.output<typeof verifyEmail.output>['outcome']

/**
 * Confirms an email, or one side of a change of email, with the link in an email; the last side makes the change. Fails
 * with 409 `taken` if another user already has the new address; the pending change then ends.
 */
async function confirmEmail(
  database: Database,
  { requestId, address, device, ...linkInput }: ConfirmInput,
): Promise<Outcome> {
  const { person, token } = parseLink(linkInput)
  const outcome = await database.asSystem(async (tx) => {
    await lockHomeTree(tx, person)
    const owner = await tx.first(
      z.object({ email: z.string().nullable() }),
      sql`select person_email as email from person where person_id = ${person} for no key update`,
    )
    const used = await tx.first(linkRow, usedLink(person, token))
    if (!owner?.email || !used) throw linkEnded()
    if (used.purpose !== 'verify')
      return confirmSide(tx, { person, requestId, used, email: owner.email, address, device })
    if (used.email !== owner.email) throw linkEnded()
    await tx.run(sql`update person set person_verified = true where person_id = ${person}`)
    return 'verified'
  })
  if (outcome === 'taken') throw new AppError('taken', { field: 'email' })
  return outcome
}

const linkRow = z.object({ purpose: z.enum(emailLinkPurposes), email: z.string() })

function usedLink(person: string, token: string) {
  return sql`
    update email_link set email_link_ended_at = now()
     where email_link_token_hash = ${hashOfToken(token)} and email_link_person = ${person}
       and email_link_ended_at is null and email_link_expires_at > now()
 returning email_link_purpose as purpose, email_link_email as email`
}

type ConfirmSideInput = From & { person: string; requestId: string; used: z.output<typeof linkRow>; email: string }

const changeRow = z.object({ email: z.string(), isWhole: z.boolean(), isTaken: z.boolean() })

async function confirmSide(tx: Transaction, { person, requestId, used, email, ...from }: ConfirmSideInput) {
  const isOld = used.purpose === 'change_old'
  if (isOld && used.email !== email) throw linkEnded()
  const change = await tx.first(
    changeRow,
    sql`update email_change
           set email_change_old_confirmed_at = case when ${isOld} then now() else email_change_old_confirmed_at end,
               email_change_new_confirmed_at = case when ${isOld} then email_change_new_confirmed_at else now() end
         where email_change_person = ${person} and email_change_expires_at > now()
           and (${isOld} or email_change_email = ${used.email})
     returning email_change_email as email,
               email_change_old_confirmed_at is not null and email_change_new_confirmed_at is not null as "isWhole",
               exists (select from person where person_email = email_change_email) as "isTaken"`,
  )
  if (!change) throw linkEnded()
  if (!change.isWhole) return 'change_waits_for_other_address'
  await tx.run(sql`delete from email_change where email_change_person = ${person}`)
  await endEmailLinks(tx, { person, purposes: ['verify', 'change_old', 'change_new'] })
  if (change.isTaken) return 'taken'
  await changeOwnPerson(tx, { person, requestId, changes: { email: change.email } })
  await tx.run(sql`update person set person_verified = true where person_id = ${person}`)
  // A user who still reads mail of the previous address can neither set a password with it nor answer an invitation.
  await tx.run(sql`update password_reset set password_reset_ended_at = now()
    where password_reset_person = ${person} and password_reset_ended_at is null`)
  await tx.run(sql`update membership_invitation set membership_invitation_expires_at = now()
    where membership_invitation_person = ${person} and membership_invitation_ended_at is null`)
  await recordUserEvent(tx, { ...from, person, as: 'email_changed' })
  for (const address of [email, change.email]) {
    await queueMail(tx, { person, address, content: { kind: 'email_changed', newEmail: change.email } })
  }
  return 'changed'
}
