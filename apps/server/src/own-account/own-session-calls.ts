import type * as contract from '@portcullis/contract/calls/own-account'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { PersonOf } from '../http/access-of.ts'
import { parseInput } from '../input/parse-input.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import { ownSignIns } from './own-sign-ins.ts'

type Parts = { database: Database; personOf: PersonOf }

const idParams = z.object({ id: z.string() })

/** Where one is signed in, and where and how it was tried. */
export function registerOwnSessionCalls(app: FastifyInstance, { database, personOf }: Parts) {
  app.get(
    '/api/users/me/sessions',
    async (request): Promise<z.output<typeof contract.ownSessions.output>> =>
      ownSessions(database, await personOf(request)),
  )

  app.delete('/api/users/me/sessions/:id', async (request, reply) => {
    const { _id: person } = await personOf(request)
    await endOwnSession(database, { person, id: parseInput(idParams, request.params).id })
    return reply.status(204).send()
  })

  app.post(
    '/api/users/me/sessions/endOthers',
    async (request): Promise<z.output<typeof contract.endOtherSessions.output>> => ({
      ended: await endOtherSessions(database, await personOf(request)),
    }),
  )

  app.get('/api/users/me/signIns', async (request): Promise<z.output<typeof contract.ownSignIns.output>> => {
    const { _id } = await personOf(request)
    return ownSignIns(database, _id)
  })
}
