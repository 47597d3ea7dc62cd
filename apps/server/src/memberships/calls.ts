import * as calls from '@portcullis/contract/calls/memberships'
import { users } from '@portcullis/contract/collections/users'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { readItem } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { accessInOf } from '../http/access-in.ts'
import type { PersonOf } from '../http/access-of.ts'
import { networkOf } from '../http/client-network.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'
import { linkEnded } from '../mail/link.ts'
import { addAccounts } from './add-accounts.ts'
import { answerInvitation, findInvitation, listInvitations, ofPerson, ofToken } from './answer-invitation.ts'
import { removeAccount } from './remove-account.ts'
import { accountsOf } from './user-accounts.ts'

type MembershipOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  personOf: PersonOf
  userHooks: CollectionHooks
}

/** The accounts of a user, and the invitations that users answer themselves. */
export function registerMembershipCalls(
  app: FastifyInstance,
  { database, serveCall, personOf, userHooks }: MembershipOptions,
) {
  serveCall(app, calls.userAccounts, async ({ request, access, path: { id } }) => {
    await database.inAccounts(access.reads, (tx) => readItem(tx, { collection: users, accounts: access.reads, id }))
    return listOf(request, id)
  })

  serveCall(app, calls.addAccounts, async ({ request, access, path: { id }, input }) => {
    await addAccounts(servicesFor(request), { access, id, ...input })
    return listOf(request, id)
  })

  serveCall(app, calls.removeAccount, async ({ request, access, path: { id }, input }) => {
    const person = await personOf(request)
    const entry = await removeAccount(servicesFor(request), { access, person, id, ...input })
    return { item: await listOf(request, id), entry }
  })

  serveCall(app, calls.ownInvitations, async ({ person }) => ({ items: await listInvitations(database, person._id) }))

  serveCall(app, calls.answerOwnInvitation, async ({ request, person, path: { id }, input: { accept } }) => {
    if (!z.uuid().safeParse(id).success) throw linkEnded()
    const condition = ofPerson({ person: person._id, id })
    await answerInvitation(database, { condition, accept, requestId: request.id })
  })

  serveCall(app, calls.readInvitation, async ({ request, input: { token } }) => {
    spend(request)
    return findInvitation(database, token)
  })

  serveCall(app, calls.answerInvitation, async ({ request, input: { token, accept } }) => {
    spend(request)
    await answerInvitation(database, { condition: ofToken(token), accept, requestId: request.id })
  })

  function servicesFor(request: FastifyRequest) {
    return { database, userHooks, accessIn: accessInOf({ database, personOf }, request) }
  }

  async function listOf(request: FastifyRequest, user: string) {
    const person = await personOf(request)
    return { items: await accountsOf(database, { user, person, requestId: request.id }) }
  }
}

/** By network. Tokens cannot be guessed: the limit bounds the work that strangers can cause on this server. */
export const invitationRequests = new TokenBuckets({ burst: 120, perSecond: 2 })

function spend({ ip }: FastifyRequest) {
  const bucket = invitationRequests.of(networkOf(ip))
  if (bucket.trySpend(1)) return
  throw new AppError('too_many', {}, { retryAfterSeconds: Math.ceil(bucket.msUntil(1) / 1_000) })
}
