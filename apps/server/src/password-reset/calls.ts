import { forgotPassword as forgotCall, resetPassword as resetCall } from '@portcullis/contract/calls/password-reset'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { forgotPassword } from './forgot-password.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { resetPassword } from './reset-password.ts'

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
