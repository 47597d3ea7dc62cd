import { forgotPassword as forgotCall, resetPassword as resetCall } from '@portcullis/contract/calls/password-reset'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { resetPassword } from './reset-password.ts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { hasHadEnough } from '../mail/mail-limits.ts'
import { mailReset } from '../passwords/password-link.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database; hintMail: () => void; publicUrl: string | undefined }

export function registerPasswordReset(app: FastifyInstance, { database, serveCall, hintMail, publicUrl }: Parts) {
  const underway = new Set<Promise<void>>()

  serveCall(app, forgotCall, async ({ request, reply, query: { email } }) => {
    // All that depends on the person comes after the answer, so that its time tells nobody who exists.
    await database.asSystem(async () => {})
    const work = forgotPassword(database, { email, address: request.ip })
      .then(hintMail)
      .catch((error: unknown) => request.log.error({ err: error }, 'a password reset could not be sent'))
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
    // Who reads the person's mail is no stranger: whatever is tried by others, this browser signs in.
    await rememberDevice(database, { request, reply, publicUrl, person })
  })
}

type Asked = { email: string; address: string }

/** Sends a link that sets a new password to the person with this e-mail; to nobody where there is none, or after too many. */
function forgotPassword(database: Database, { email, address }: Asked) {
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
