import { forgotPassword as forgotCall, resetPassword as resetCall } from '@portcullis/contract/calls/password-reset'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { hasReachedMailLimit } from '../mail/mail-limits.ts'
import { mailReset } from '../passwords/password-link.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { demandStrongPassword } from '../passwords/demand-strong-password.ts'
import { linkEnded, parseLink } from '../mail/link.ts'
import { hashPassword } from '../passwords/password.ts'
import { setPassword } from '../passwords/set-password.ts'
import { type From, recordUserEvent } from '../sessions/record-sign-in.ts'
import { hashOfToken } from '../sessions/token.ts'

type PasswordResetOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  hintMail: () => void
  publicUrl: string | undefined
}

export function registerPasswordReset(
  app: FastifyInstance,
  { database, serveCall, hintMail, publicUrl }: PasswordResetOptions,
) {
  const underway = new Set<Promise<void>>()

  serveCall(app, forgotCall, async ({ request, reply, query: { email } }) => {
    // Work that depends on the user follows the answer, so that its duration does not reveal which users exist.
    await database.asSystem(async () => {})
    const work = forgotPassword(database, { email, address: request.ip })
      .then(hintMail)
      .catch((error: unknown) => request.log.error({ err: error }, 'sending a password reset failed'))
      .finally(() => underway.delete(work))
    underway.add(work)
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onClose', async () => {
    await Promise.all(underway)
  })

  serveCall(app, resetCall, async ({ request, reply, path: { id, token }, input: { password } }) => {
    const person = await resetPassword(database, {
      address: request.ip,
      device: request.headers['user-agent'],
      person: id,
      token,
      password,
    })
    // The link proves access to the user's email: as a known browser, this one is not blocked by others' wrong
    // attempts.
    await rememberDevice(database, { request, reply, publicUrl, person })
  })
}

type ForgotPasswordInput = { email: string; address: string }

/** Emails a password reset link to the user with this email, if there is one and the hourly limit allows it. */
function forgotPassword(database: Database, { email, address }: ForgotPasswordInput) {
  return database.asSystem(async (tx) => {
    const found = await tx.first(
      z.object({ id: z.uuid(), hasPassword: z.boolean() }),
      sql`select person_id as id, person_password_hash is not null as "hasPassword"
            from person where person_email = ${email} for no key update`,
    )
    if (!found || (await hasReachedMailLimit(tx, { person: found.id, address, of: 'password-reset' }))) return
    await mailReset(tx, { person: found.id, address, hasPassword: found.hasPassword })
  })
}

type ResetInput = From & { person: string; token: string; password: string }

/**
 * Sets the password of the user whose link this is, and returns their `_id`. A truncated or invalid link is reported
 * like one that has ended. A first password needs no notice.
 */
async function resetPassword(database: Database, { password, address, device, ...linkInput }: ResetInput) {
  const link = parseLink(linkInput)
  const owner = await findOwner(database, link)
  if (!owner) throw linkEnded()
  await demandStrongPassword({ password, field: 'password', owner })
  const hash = await hashPassword(password)
  const { person, token } = link
  await database.asSystem(async (tx) => {
    // All transactions lock in this order: the user, then their links.
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
    // An invitation is for users without a password: otherwise it would let the inviter sign in as them.
    if (!before || !used || (used.invites && before.hasPassword)) throw linkEnded()
    await setPassword(tx, { person, hash })
    if (used.invites) await tx.run(sql`update person set person_verified = true where person_id = ${person}`)
    if (before.hasPassword) await queueNotice(tx, person, 'password_changed')
    await recordUserEvent(tx, { person, address, device, as: 'password_reset' })
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
