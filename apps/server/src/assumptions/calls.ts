import { assumeAccount as assumeCall, endAssumption as endCall } from '@portcullis/contract/calls/assume-account'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../abilities/access.ts'
import { assumeAccount } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { PersonOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { beginAssumption } from './begin-assumption.ts'
import { endAssumption } from './end-assumptions.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database; personOf: PersonOf }

/** Acting inside an account below the current one, for hyper users with a reason. */
export function registerAssumeCalls(app: FastifyInstance, { database, serveCall, personOf }: Parts) {
  serveCall(app, assumeCall, {
    demand: accountInside,
    handle: async ({ request, access, path, input }) => {
      const { session } = await personOf(request)
      const { upward: _above, subtree: _below, ...inside } = await accountInside({ access, path })
      const from = { address: request.ip, device: request.headers['user-agent'] }
      return beginAssumption(database, { access, inside, session: session._id, reason: input.reason, from })
    },
  })

  serveCall(app, endCall, async ({ request, access, path }) => {
    demandOutside(access)
    const { session } = await personOf(request)
    const asked = { session: session._id, from: access.account.key, account: path.id, requestId: request.id }
    return { seconds: await endAssumption(database, asked) }
  })

  async function accountInside({ access, path }: { access: Access; path: { id: string } }) {
    demandOutside(access)
    const current = { key: access.account.key, subtree: access.subtree }
    return assumeAccount(database, { person: access.person, current, wanted: path.id })
  }
}

function demandOutside({ assumed }: Access) {
  if (assumed) throw new AppError('already_acting')
}
