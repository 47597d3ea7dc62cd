import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { doorModeRequest } from '@portcullis/contract/calls/door-modes'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import { parseInput } from '../input/parse-input.ts'
import { setDoorMode } from './set-mode.ts'

type Parts = { database: Database; accessOf: AccessOf }

const itemParams = z.object({ id: z.string() })

/** What can be wanted of a door besides what its schedule says. */
export function registerDoorCalls(app: FastifyInstance, { database, accessOf }: Parts) {
  app.put('/api/doors/:id/mode', async (request, reply) => {
    const access = await accessOf(request)
    const { id } = itemParams.parse(request.params)
    const wanted = parseInput(doorModeRequest, request.body)
    const { item, entry } = await setDoorMode(database, { access, id, wanted, now: new Date() })
    return reply.header(historyHeader, entry).send(item)
  })
}
