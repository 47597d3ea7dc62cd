import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import {
  countRecertifyable,
  recertify as recertifyCall,
  recertifyable,
} from '@portcullis/contract/calls/recertification'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ServerHalf } from '../collections/server-half.ts'
import type { Database } from '../database/database.ts'
import type { Answering } from '../http/access-of.ts'
import { parseInput } from '../input/parse-input.ts'
import { listRecertifyable } from './list-recertifyable.ts'
import { countDue } from './count-due.ts'
import { recertify } from './recertify.ts'

type Parts = { database: Database; answering: Answering; usersHalf: ServerHalf; now: () => number }

const itemParams = z.object({ id: z.string() })

/** Who has to be recertified, and the decision about each of them. */
export function registerRecertification(app: FastifyInstance, { database, answering, usersHalf, now }: Parts) {
  app.get('/api/users/recertifyable', (request) =>
    answering(request, async (access) => {
      const query = parseInput(recertifyable.query, request.query)
      return listRecertifyable(database, { access, query, now: now() })
    }),
  )

  app.get('/api/users/recertifyable/count', (request) =>
    answering(request, async (access) => {
      const query = parseInput(countRecertifyable.query, request.query)
      return countDue(database, { access, query, now: now() })
    }),
  )

  app.patch('/api/users/recertify/:id', (request, reply) =>
    answering(request, async (access) => {
      const { id } = parseInput(itemParams, request.params)
      const { decision } = parseInput(recertifyCall.input, request.body ?? {})
      const { item, entry } = await recertify(database, { access, usersHalf, id, decision, now: now() })
      return reply.header(historyHeader, entry).send(item)
    }),
  )
}
