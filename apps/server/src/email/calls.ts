import { users } from '@portcullis/contract/collections/users'
import * as contract from '@portcullis/contract/calls/own-account'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { demand } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { parseInput } from '../input/parse-input.ts'
import { lackOf, refusalFor } from '../sessions/complete-sign-in.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { askForEmail, takeBackEmail, waitingEmail } from './change-email.ts'
import { confirmEmail } from './confirm-email.ts'
import { sendVerification } from './send-verification.ts'

type Parts = { database: Database; accessOf: AccessOf; personOf: PersonOf }

const idParams = z.object({ id: z.string() })
const linkParams = z.object({ id: z.string(), token: z.string() })

/** Changing one's own e-mail, and confirming it. */
export function registerEmailCalls(app: FastifyInstance, { database, accessOf, personOf }: Parts) {
  app.post('/api/users/me/email', async (request, reply) => {
    const person = await personOf(request)
    const { email } = parseInput(contract.changeEmail.input, request.body)
    requireFreshSignIn(person)
    await askForEmail(database, { person: person._id, email, address: request.ip })
    return reply.status(204).send()
  })

  app.get('/api/users/me/email', async (request) => {
    const { _id: person } = await personOf(request)
    return waitingEmail(database, person)
  })

  app.delete('/api/users/me/email', async (request, reply) => {
    const { _id: person } = await personOf(request)
    await takeBackEmail(database, person)
    return reply.status(204).send()
  })

  app.get('/api/users/:id/verify', { config: { ...forUnverified, hasEffect: true } }, async (request, reply) => {
    await sendVerification(database, { person: await whoIsMeant(request), address: request.ip })
    return reply.status(204).header('cache-control', 'no-store').send()
  })

  app.post('/api/users/:id/resendVerificationToken', { config: forUnverified }, async (request, reply) => {
    await sendVerification(database, { person: await whoIsMeant(request), address: request.ip })
    return reply.status(204).send()
  })

  app.get('/api/users/:id/verify/:token', { config: { hasEffect: true } }, async (request, reply) => {
    const { id: person, token } = parseInput(linkParams, request.params)
    reply.header('cache-control', 'no-store')
    return { outcome: await confirmEmail(database, { person, token, requestId: request.id, ...fromOf(request) }) }
  })

  /** Oneself, or somebody else for who may manage users, whose own sign-in has to be complete. */
  async function whoIsMeant(request: FastifyRequest) {
    const person = await personOf(request)
    const { id } = parseInput(idParams, request.params)
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

function fromOf({ ip, headers }: FastifyRequest) {
  return { address: ip, device: headers['user-agent'] }
}

const forUnverified = { servesWithout: ['verified email'] } as const
