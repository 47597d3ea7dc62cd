import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { PersonOf } from '../http/access-of.ts'
import { accountHierarchy } from '../abilities/account-tree.ts'

export function registerAccountCalls(
  app: FastifyInstance,
  { database, personOf }: { database: Database; personOf: PersonOf },
) {
  app.get('/api/accounts/hierarchy', async (request) => {
    const person = await personOf(request)
    return accountHierarchy(database, person.hyper ? 'all' : person.memberships.map(({ key }) => key))
  })
}
