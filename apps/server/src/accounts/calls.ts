import { moveAccount as moveCall } from '@portcullis/contract/calls/accounts'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { enforceMfa } from '@portcullis/contract/calls/mfa'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { accountHierarchy } from '../abilities/account-tree.ts'
import type { Access } from '../abilities/access.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { patch } from '../collections/patch.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf, Answering, PersonOf } from '../http/access-of.ts'
import { parseInput } from '../input/parse-input.ts'
import { accountsHalf } from './accounts.ts'
import { registerImageCalls } from './image-calls.ts'
import { moveAccount } from './move-account.ts'
import { setStatus } from './set-status.ts'

type Parts = { database: Database; accessOf: AccessOf; answering: Answering; personOf: PersonOf }

const idParams = z.object({ id: z.string() })

export function registerAccountCalls(app: FastifyInstance, { database, accessOf, answering, personOf }: Parts) {
  registerImageCalls(app, { database, accessOf, personOf })

  app.get('/api/accounts/hierarchy', async (request) => {
    const person = await personOf(request)
    return accountHierarchy(database, person.hyper ? 'all' : person.memberships.map(({ key }) => key))
  })

  app.post('/api/accounts/:id/enforceMFA', (request, reply) =>
    answering(request, async (access) => {
      const { id } = parseInput(idParams, request.params)
      const { enforce } = parseInput(enforceMfa.input, request.body)
      const asked = { collection: accounts, half: accountsHalf, access, id, body: { enforceMfa: enforce } }
      const { item, entry } = await patch(database, asked)
      return reply.header(historyHeader, entry).send(item)
    }),
  )

  app.post('/api/accounts/:id/move', async (request, reply) => {
    const asked = await askedBy(request)
    const wanted = parseInput(moveCall.input, request.body)
    const { answer, entry } = await moveAccount(partsFor(request), { ...asked, wanted })
    return recorded(reply, entry).send(answer)
  })

  for (const [verb, status] of [
    ['suspend', 'suspended'],
    ['restore', 'active'],
  ] as const) {
    app.post(`/api/accounts/:id/${verb}`, async (request, reply) => {
      const { item, entry } = await setStatus(partsFor(request), { ...(await askedBy(request)), status })
      return recorded(reply, entry).send(item)
    })
  }

  async function askedBy(request: FastifyRequest): Promise<{ access: Access; id: string }> {
    return { access: await accessOf(request), ...parseInput(idParams, request.params) }
  }

  /** The rights of whoever asks, in another account as well. */
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

function recorded(reply: FastifyReply, entry: string | undefined) {
  return entry === undefined ? reply : reply.header(historyHeader, entry)
}
