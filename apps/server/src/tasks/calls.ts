import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { actionRemoteAuth, askAtDoor as askCall } from '@portcullis/contract/calls/remote-access'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import { parseInput } from '../input/parse-input.ts'
import { askAtDoor } from './ask-at-door.ts'
import { decideRequest, type GiveUnlock } from './decide-request.ts'

type Parts = { database: Database; accessOf: AccessOf; giveUnlock: GiveUnlock }

const itemParams = z.object({ id: z.string() })

/** Asking for a door from afar, and deciding about it. */
export function registerTaskCalls(app: FastifyInstance, { database, accessOf, giveUnlock }: Parts) {
  app.post('/api/tasks', async (request, reply) => {
    const access = await accessOf(request)
    const asked = parseInput(askCall.input, request.body)
    const { item, entry } = await askAtDoor(database, { access, asked })
    return reply.status(201).header(historyHeader, entry).send(item)
  })

  app.post('/api/tasks/:id/actionRemoteAuth', async (request, reply) => {
    const access = await accessOf(request)
    const { id } = itemParams.parse(request.params)
    const { grant } = parseInput(actionRemoteAuth.input, request.body)
    const { item, entry } = await decideRequest({ database, giveUnlock }, { access, id, grant })
    return reply.header(historyHeader, entry).send(item)
  })
}
