import * as contract from '@portcullis/contract/calls/authentication'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { PersonOf } from '../http/access-of.ts'
import { makeAfterAnswer } from '../http/after-answer.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import type { MfaParts } from '../mfa/prove-code.ts'
import { lackOf } from '../sessions/complete-sign-in.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { deviceHash, rememberDevice } from '../sessions/known-device.ts'
import { clearSessionCookie, readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { endSession, findSessionPerson } from '../sessions/session-store.ts'
import { currentUserOf } from '../sessions/current-user.ts'
import { noteActivity } from './note-activity.ts'
import { signIn } from './sign-in.ts'

type Parts = MfaParts & { personOf: PersonOf; publicUrl: string | undefined }

/** Signing in and out, and staying signed in. */
export function registerSignInCalls(app: FastifyInstance, parts: Parts) {
  const { database, personOf, publicUrl } = parts
  const afterAnswer = makeAfterAnswer(app)

  app.post('/api/auth/login', async (request, reply): Promise<z.output<typeof contract.login.output>> => {
    const credentials = parseInput(contract.login.input, request.body)
    const { token, person: signedIn } = await signIn(database, {
      credentials,
      address: request.ip,
      device: request.headers['user-agent'],
      deviceHash: deviceHash(request.cookies),
      afterwards: (work) => afterAnswer(request, work),
    })
    const old = readSessionToken(request.cookies, publicUrl)
    if (old) await endSession(database, old)
    const person = await findSessionPerson(database, token)
    if (!person) throw new AppError('unauthenticated', 'Please sign in.')
    setSessionCookie({ request, reply, publicUrl }, token)
    await rememberDevice(database, { request, reply, publicUrl, person: signedIn })
    const { enrolled } = await database.asSystem((tx) => mfaStanding(tx, person._id))
    // Without a verified e-mail that comes first, and the code at the sign-in that follows.
    const mfa = lackOf(person) === 'code'
    return { verified: person.verified, mfa, mfaEnrolled: enrolled, currentUser: currentUserOf(person) }
  })

  app.post('/api/auth/logout', async (request, reply) => {
    const token = readSessionToken(request.cookies, publicUrl)
    if (token) await endSession(database, token)
    clearSessionCookie({ request, reply, publicUrl })
    return reply.status(204).send()
  })

  app.post('/api/auth/activity', forUnverified, async (request): Promise<z.output<typeof contract.activity.output>> => {
    const { session } = await personOf(request)
    return noteActivity(database, session._id)
  })

  app.post('/api/auth/confirm', forUnverified, async (request, reply) => {
    const person = await personOf(request)
    const { password, code } = parseInput(contract.confirmIdentity.input, request.body)
    const from = { address: request.ip, device: request.headers['user-agent'] }
    const token = readSessionToken(request.cookies, publicUrl) ?? ''
    const next = await confirmIdentity(parts, { person, token, password, code, ...from })
    setSessionCookie({ request, reply, publicUrl }, next)
    return reply.status(204).send()
  })
}

/** The little that serves whoever has not confirmed their e-mail yet. */
const forUnverified = { config: { servesWithout: ['verified email'] } } as const
