import type { FastifyRequest } from 'fastify'
import { type AccessAt, resolveAccess } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import type { PersonOf } from './access-of.ts'

/** The user's rights in another account. */
export type AccessIn = (account: string) => Promise<AccessAt>

/** Resolves the rights of a request's user in accounts other than its own, without the accounts below. */
export function accessInOf(
  { database, personOf }: { database: Database; personOf: PersonOf },
  request: FastifyRequest,
): AccessIn {
  return async (account) => {
    const person = await personOf(request)
    return resolveAccess(database, { person, account, allAccounts: 'no', requestId: request.id })
  }
}
