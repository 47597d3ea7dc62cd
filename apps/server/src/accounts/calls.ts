import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { enforceMfa } from '@portcullis/contract/calls/mfa'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { patch } from '../collections/patch.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { accountHierarchy } from '../abilities/account-tree.ts'
import { parseInput } from '../http/parse-input.ts'
import { accountsHalf } from './accounts.ts'

type Parts = { database: Database; accessOf: AccessOf; personOf: PersonOf }

const idParams = z.object({ id: z.string() })

export function registerAccountCalls(app: FastifyInstance, { database, accessOf, personOf }: Parts) {
  app.get('/api/accounts/hierarchy', async (request) => {
    const person = await personOf(request)
    return accountHierarchy(database, person.hyper ? 'all' : person.memberships.map(({ key }) => key))
  })

  app.post('/api/accounts/:id/enforceMFA', async (request, reply) => {
    const access = await accessOf(request)
    const { id } = parseInput(idParams, request.params)
    const { enforce } = parseInput(enforceMfa.input, request.body)
    const asked = { collection: accounts, half: accountsHalf, access, id, body: { enforceMfa: enforce } }
    const { item, entry } = await patch(database, asked)
    return reply.header(historyHeader, entry).send(item)
  })
}
