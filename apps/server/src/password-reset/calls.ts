import * as contract from '@portcullis/contract/calls/password-reset'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { parseInput } from '../input/parse-input.ts'
import { forgotPassword } from './forgot-password.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { resetPassword } from './reset-password.ts'

type Parts = { database: Database; hintMail: () => void; publicUrl: string | undefined }

const linkParams = z.object({ id: z.string(), token: z.string() })

export function registerPasswordReset(app: FastifyInstance, { database, hintMail, publicUrl }: Parts) {
  const underway = new Set<Promise<void>>()

  app.get('/api/users/forgot', { config: { hasEffect: true } }, async (request, reply) => {
    const { email } = parseInput(contract.forgotPassword.input, request.query)
    // All that depends on the person comes after the answer, so that its time tells nobody who exists.
    await database.asSystem(async () => {})
    const work = forgotPassword(database, { email, address: request.ip })
      .then(hintMail)
      .catch((error: unknown) => request.log.error({ err: error }, 'a password reset could not be sent'))
      .finally(() => underway.delete(work))
    underway.add(work)
    return reply.status(204).header('cache-control', 'no-store').send()
  })
  app.addHook('onClose', async () => {
    await Promise.all(underway)
  })

  app.put('/api/users/:id/forgot/:token', async (request, reply) => {
    const { id, token } = parseInput(linkParams, request.params)
    const { password } = parseInput(contract.resetPassword.input, request.body)
    const person = await resetPassword(database, {
      address: request.ip,
      device: request.headers['user-agent'],
      person: id,
      token,
      password,
    })
    // Who reads the person's mail is no stranger: whatever is tried by others, this browser signs in.
    await rememberDevice(database, { request, reply, publicUrl, person })
    return reply.status(204).send()
  })
}
