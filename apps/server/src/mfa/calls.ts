import { brandOf } from '@portcullis/contract/brands'
import * as contract from '@portcullis/contract/calls/mfa'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { countTry } from '../sessions/count-try.ts'
import { currentUserOf } from '../sessions/current-user.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { findSessionPerson, stepUp } from '../sessions/session-store.ts'
import { type From, tellSignIn } from '../sessions/tell-sign-in.ts'
import { askForCodes, makeRecoveryCodes, resetSecondFactor } from './change-second-factor.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import { type MfaParts, proveCode, wrongCode } from './prove-code.ts'
import { beginSetUp, completeSetUp } from './set-up.ts'

type Parts = MfaParts & { accessOf: AccessOf; personOf: PersonOf; publicUrl: string | undefined }

const idParams = z.object({ id: z.string() })
const whileOwed = { config: { servesWithout: ['code'] } } as const

/** The second factor: at the sign-in, its set-up, and what may be changed about it. */
export function registerMfaCalls(app: FastifyInstance, parts: Parts) {
  const { database, accessOf, personOf, publicUrl, secrets, now } = parts

  app.post('/api/auth/mfa', whileOwed, async (request, reply): Promise<z.output<typeof contract.mfaSignIn.output>> => {
    const before = await personOf(request)
    const proof = parseInput(contract.mfaSignIn.input, request.body)
    await countTry(database, before.session._id)
    const asked = { person: before._id, proof, ...fromOf(request) }
    const { owesCode } = before.session
    const token = await proveCode(parts, asked, async (tx) => {
      const next = await stepUp(tx, {
        token: readSessionToken(request.cookies, publicUrl) ?? '',
        old: owesCode ? 'ends' : 'overlaps',
        code: 'given',
      })
      if (next === undefined) throw sessionEnded()
      if (owesCode) await tellSignIn(tx, asked)
      return next
    })
    setSessionCookie({ request, reply, publicUrl }, token)
    const person = await findSessionPerson(database, token)
    if (!person) throw sessionEnded()
    return { verified: person.verified, mfa: false, mfaEnrolled: true, currentUser: currentUserOf(person) }
  })

  app.get(
    '/api/users/mfasetup',
    { config: { ...whileOwed.config, hasEffect: true } },
    async (request, reply): Promise<z.output<typeof contract.mfaSetUp.output>> => {
      const person = await whoSetsUp(request)
      reply.header('cache-control', 'no-store')
      return beginSetUp(database, { person, issuer: brandOf(request.headers.host).product, secrets })
    },
  )

  app.post(
    '/api/users/mfasetup',
    whileOwed,
    async (request, reply): Promise<z.output<typeof contract.mfaEnrol.output>> => {
      const { _id: person, session } = await whoSetsUp(request)
      const { code } = parseInput(contract.mfaEnrol.input, request.body)
      await countTry(database, session._id)
      const recoveryCodes = await completeSetUp(database, { person, code, secrets, now: now(), ...fromOf(request) })
      if (!recoveryCodes) throw wrongCode()
      reply.header('cache-control', 'no-store')
      return { recoveryCodes }
    },
  )

  app.post('/api/users/enablemfa', async (request, reply) => {
    await askForCodes(database, { person: await whoIsFresh(request), isAsked: 'yes', ...fromOf(request) })
    return reply.status(204).send()
  })

  app.post('/api/users/disablemfa', async (request, reply) => {
    await askForCodes(database, { person: await whoIsFresh(request), isAsked: 'no', ...fromOf(request) })
    return reply.status(204).send()
  })

  app.post(
    '/api/users/recoveryCodes',
    async (request, reply): Promise<z.output<typeof contract.recoveryCodes.output>> => {
      const person = await whoIsFresh(request)
      reply.header('cache-control', 'no-store')
      return { recoveryCodes: await makeRecoveryCodes(database, { person, secrets, ...fromOf(request) }) }
    },
  )

  app.post('/api/users/:id/mfaReset', async (request, reply) => {
    const access = await accessOf(request)
    const { id } = parseInput(idParams, request.params)
    // One's own is what a stolen session would reset.
    if (id === access.person._id) requireFreshSignIn(await personOf(request))
    await resetSecondFactor(database, { access, id, ...fromOf(request) })
    return reply.status(204).send()
  })

  /** Who owes a code sets up only what they don't have yet; anybody else has shown lately who they are. */
  async function whoSetsUp(request: FastifyRequest) {
    const person = await personOf(request)
    if (!person.session.owesCode) {
      requireFreshSignIn(person)
      return person
    }
    const { enrolled } = await database.asSystem((tx) => mfaStanding(tx, person._id))
    if (enrolled) throw new AppError('code_owed', 'Please sign in with a code of the authenticator that you have.')
    return person
  }

  async function whoIsFresh(request: FastifyRequest) {
    const person = await personOf(request)
    requireFreshSignIn(person)
    return person._id
  }
}

function fromOf({ ip, headers }: FastifyRequest): From {
  return { address: ip, device: headers['user-agent'] }
}

function sessionEnded() {
  return new AppError('session_ended', 'Your session has ended. Please sign in again.')
}
