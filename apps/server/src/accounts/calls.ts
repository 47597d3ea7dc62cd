import { accountHierarchy } from '@portcullis/contract/calls/authentication'
import { moveAccount as moveCall, restoreAccount, suspendAccount } from '@portcullis/contract/calls/accounts'
import { enforceMfa } from '@portcullis/contract/calls/mfa'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountHierarchy as hierarchyOf } from '../abilities/account-tree.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { patch } from '../collections/patch.ts'
import type { Database } from '../database/database.ts'
import type { PersonOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { accountsHalf } from './accounts.ts'
import { registerImageCalls } from './image-calls.ts'
import { moveAccount } from './move-account.ts'
import { setStatus } from './set-status.ts'

type Parts = ServeCall & { database: Database; personOf: PersonOf }

export function registerAccountCalls(app: FastifyInstance, { database, serveCall, serveProvenCall, personOf }: Parts) {
  registerImageCalls(app, { database, serveCall })

  serveCall(app, accountHierarchy, async ({ person }) =>
    hierarchyOf(database, person.hyper ? 'all' : person.memberships.map(({ key }) => key)),
  )

  serveProvenCall(app, enforceMfa, async ({ access, path, input }) =>
    patch(database, { collection: accounts, half: accountsHalf, access, ...path, body: { enforceMfa: input.enforce } }),
  )

  serveCall(app, moveCall, async ({ request, access, path, input }) => {
    const { answer, entry } = await moveAccount(partsFor(request), { access, ...path, wanted: input })
    return { item: answer, entry }
  })

  serveCall(app, suspendAccount, async ({ request, access, path }) =>
    setStatus(partsFor(request), { access, ...path, status: 'suspended' }),
  )

  serveCall(app, restoreAccount, async ({ request, access, path }) =>
    setStatus(partsFor(request), { access, ...path, status: 'active' }),
  )

  /** Resolves the user's rights in other accounts too. */
  function partsFor(request: FastifyRequest) {
    return {
      database,
      async accessIn(account: string) {
        const person = await personOf(request)
        return resolveAccess(database, { person, account, allAccounts: 'no', requestId: request.id })
      },
    }
  }
}
