import * as contract from '@portcullis/contract/calls/own-account'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { changePassword } from './change-password.ts'
import { registerOwnSessionCalls } from './own-session-calls.ts'
import { patchMe } from './patch-me.ts'
import { readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { whoAmI } from './who-am-i.ts'

type Parts = { database: Database; accessOf: AccessOf; personOf: PersonOf; publicUrl: string | undefined }

const idParams = z.object({ id: z.string() })

/** What people see and change of themselves: their name and consent, their password, their sessions. */
export function registerOwnAccountCalls(app: FastifyInstance, parts: Parts) {
  const { database, personOf, publicUrl } = parts

  registerOwnSessionCalls(app, { database, personOf })

  app.get('/api/users/me', forUnverified, (request) => whoAmI(parts, request))

  app.patch('/api/users/me', async (request) => {
    const { _id: person } = await personOf(request)
    const changes = parseInput(contract.patchMe.input, request.body)
    // Who may not be in the account of the header is refused before anything is changed.
    await whoAmI(parts, request)
    await patchMe(database, { person, requestId: request.id, changes })
    return whoAmI(parts, request)
  })

  app.put('/api/users/:id/password', async (request, reply) => {
    const person = await personOf(request)
    const { id } = parseInput(idParams, request.params)
    if (id !== 'me' && id !== person._id) {
      throw new AppError('forbidden', 'Everybody changes their own password only; others are sent a link.')
    }
    const passwords = parseInput(contract.changePassword.input, request.body)
    const token = readSessionToken(request.cookies, publicUrl) ?? ''
    const next = await changePassword(database, { ...passwords, ...fromOf(request), person, token })
    if (next !== undefined) setSessionCookie({ request, reply, publicUrl }, next)
    return reply.status(204).send()
  })
}

function fromOf({ ip, headers }: FastifyRequest) {
  return { address: ip, device: headers['user-agent'] }
}

/** The page that asks them to confirm their e-mail knows who they are. */
const forUnverified = { config: { servesWithout: ['verified email'] } } as const
