import * as calls from '@portcullis/contract/calls/own-account'
import { users } from '@portcullis/contract/collections/users'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { demand } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { lackOf, refusalFor } from '../sessions/complete-sign-in.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import { askForEmail, takeBackEmail, waitingEmail } from './change-email.ts'
import { confirmEmail } from './confirm-email.ts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { endEmailLinks, makeEmailLink } from './email-links.ts'
import { demandFewMails } from '../mail/mail-limits.ts'
import { inviteAgain } from '../passwords/password-link.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database; accessOf: AccessOf }

/** Changing and confirming an email. */
export function registerEmailCalls(app: FastifyInstance, { database, serveCall, accessOf }: Parts) {
  serveCall(app, calls.changeEmail, async ({ request, person, input: { email } }) => {
    requireFreshSignIn(person)
    await askForEmail(database, { person: person._id, email, address: request.ip })
  })

  serveCall(app, calls.pendingEmail, async ({ person }) => waitingEmail(database, person._id))

  serveCall(app, calls.takeBackEmail, async ({ person }) => takeBackEmail(database, person._id))

  serveCall(app, calls.sendVerification, async ({ request, reply, person, path }) => {
    const user = await addressee(request, { person, ...path })
    await sendVerification(database, { person: user, address: request.ip })
    reply.header('cache-control', 'no-store')
  })

  serveCall(app, calls.resendVerification, async ({ request, person, path }) => {
    const user = await addressee(request, { person, ...path })
    await sendVerification(database, { person: user, address: request.ip })
  })

  serveCall(app, calls.verifyEmail, async ({ request, reply, path: { id: person, token } }) => {
    reply.header('cache-control', 'no-store')
    const from = { address: request.ip, device: request.headers['user-agent'] }
    return { outcome: await confirmEmail(database, { person, token, requestId: request.id, ...from }) }
  })

  /** The current user, or another one whom they manage once their own sign-in is complete. */
  async function addressee(request: FastifyRequest, { person, id }: { person: SessionPerson; id: string }) {
    if (id === 'me' || id === person._id) return person._id
    const lack = lackOf(person)
    if (lack) throw refusalFor(lack)
    const access = await accessOf(request)
    demand(access, { action: 'manage', subject: users.subject })
    const { key } = access.account
    await database.inAccounts([key], (tx) => readItem(tx, { collection: users, accounts: [key], id }))
    return id
  }
}

type Asked = { person: string; address: string }

/**
 * Mails somebody the link that confirms their e-mail; who has no password yet is invited again, which confirms it too. 422
 * where there is nothing to confirm.
 */
function sendVerification(database: Database, { person, address }: Asked) {
  return database.asSystem(async (tx) => {
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
    await demandFewMails(tx, { person, address, of: hasPassword ? 'email' : 'password-reset' })
    if (!hasPassword) {
      await inviteAgain(tx, { person, account, address })
      return
    }
    await endEmailLinks(tx, { person, purposes: ['verify'] })
    const token = await makeEmailLink(tx, { person, purpose: 'verify', email, address })
    await queueMail(tx, { person, content: { kind: 'verification', token } })
  })
}

const personRow = z.object({
  email: z.string().nullable(),
  verified: z.boolean(),
  hasPassword: z.boolean(),
  account: z.string(),
})
