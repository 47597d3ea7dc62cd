import * as contract from '@portcullis/contract/calls/authentication'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { descendantRefs } from '../abilities/account-tree.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { makeAfterAnswer } from '../http/after-answer.ts'
import { AppError } from '../http/app-error.ts'
import { parseInput } from '../http/parse-input.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { clearSessionCookie, readSessionToken, setSessionCookie } from './session-cookie.ts'
import { endSession, findSessionPerson, type SessionPerson } from './session-store.ts'
import { noteActivity } from './note-activity.ts'
import { registerOwnSessionCalls } from './own-session-calls.ts'
import { signIn } from './sign-in.ts'

type Parts = { database: Database; accessOf: AccessOf; personOf: PersonOf; publicUrl: string | undefined }

export function registerSessionCalls(app: FastifyInstance, { database, accessOf, personOf, publicUrl }: Parts) {
  const afterAnswer = makeAfterAnswer(app)

  app.post('/api/auth/login', async (request, reply): Promise<z.output<typeof contract.login.output>> => {
    const credentials = parseInput(contract.login.input, request.body)
    const token = await signIn(database, {
      credentials,
      address: request.ip,
      device: request.headers['user-agent'],
      afterwards: (work) => afterAnswer(request, work),
    })
    const old = readSessionToken(request.cookies)
    if (old) await endSession(database, old)
    const person = await findSessionPerson(database, token)
    if (!person) throw new AppError('unauthenticated', 'Please sign in.')
    setSessionCookie({ request, reply, publicUrl }, token)
    return { verified: person.verified, mfa: false, mfaEnrolled: false, currentUser: currentUserOf(person) }
  })

  app.post('/api/auth/logout', async (request, reply) => {
    const token = readSessionToken(request.cookies)
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
    const { password } = parseInput(contract.confirmIdentity.input, request.body)
    const token = readSessionToken(request.cookies) ?? ''
    setSessionCookie({ request, reply, publicUrl }, await confirmIdentity(database, { person, token, password }))
    return reply.status(204).send()
  })

  registerOwnSessionCalls(app, { database, personOf })

  app.get('/api/users/me', forUnverified, async (request): Promise<z.output<typeof contract.me>> => {
    const person = await personOf(request)
    const mfa = { enrolled: false, enabled: false, enforced: false, recoveryCodesLeft: 0 }
    if (!person.hyper && person.memberships.length === 0) {
      return { user: currentUserOf(person), account: null, rules: [], mfa }
    }
    const access = await accessOf(request)
    const { _id, ref, name, defaultTimeZone, key } = access.account
    const descendants = await descendantRefs(database, key)
    return {
      user: currentUserOf(person),
      account: {
        _id,
        ref,
        name,
        defaultTimeZone,
        role: access.role,
        ...(access.inherited ? { inherited: true } : {}),
        descendants,
      },
      rules: access.rules,
      mfa,
    }
  })
}

/** The little that serves whoever has not confirmed their e-mail yet. */
const forUnverified = { config: { servesWithout: ['verified email'] } } as const

function currentUserOf({ memberships, session: _session, ...person }: SessionPerson): contract.CurrentUser {
  return {
    ...person,
    role: memberships[0]?.role ?? null,
    accounts: memberships.map(({ ref, role, name }) => ({ ref, role, name })),
  }
}
