import * as contract from '@portcullis/contract/calls/assume-account'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assumeAccount } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { beginAssumption } from './begin-assumption.ts'
import { endAssumption } from './end-assumptions.ts'

type Parts = { database: Database; accessOf: AccessOf; personOf: PersonOf }

const idParams = z.object({ id: z.string() })

/** Acting inside an account below the one in which a hyper user stands, for a reason. */
export function registerAssumeCalls(app: FastifyInstance, { database, accessOf, personOf }: Parts) {
  app.post('/api/accounts/:id/assume', async (request): Promise<contract.Assumed> => {
    const { access, session, id } = await askedBy(request)
    const current = { key: access.account.key, subtree: access.subtree }
    const {
      upward: _above,
      subtree: _below,
      ...inside
    } = await assumeAccount(database, {
      person: access.person,
      current,
      wanted: id,
    })
    const { reason } = parseInput(contract.assumeAccount.input, request.body)
    const from = { address: request.ip, device: request.headers['user-agent'] }
    return beginAssumption(database, { access, inside, session, reason, from })
  })

  app.post('/api/accounts/:id/assume/end', async (request): Promise<z.output<typeof contract.endAssumption.output>> => {
    const { access, session, id } = await askedBy(request)
    const asked = { session, from: access.account.key, account: id, requestId: request.id }
    return { seconds: await endAssumption(database, asked) }
  })

  async function askedBy(request: FastifyRequest) {
    const access = await accessOf(request)
    if (access.assumed) throw new AppError('refused', 'You act inside an account already: ask from where you stand.')
    const { session } = await personOf(request)
    return { access, session: session._id, ...parseInput(idParams, request.params) }
  }
}
