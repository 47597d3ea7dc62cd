import type { Me } from '@portcullis/contract/calls/authentication'
import type { FastifyRequest } from 'fastify'
import { descendantRefs, imageTag } from '../abilities/account-tree.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import { currentUserOf } from '../sessions/current-user.ts'

type Parts = { database: Database; accessOf: AccessOf }
type Asked = { request: FastifyRequest; person: SessionPerson }

/** The user of a request, the account of its header and the rights there; the account is null for a user without any. */
export async function whoAmI({ database, accessOf }: Parts, { request, person }: Asked): Promise<Me> {
  const mfa = await database.asSystem((tx) => mfaStanding(tx, person._id))
  if (!person.hyper && person.memberships.length === 0) {
    return { user: currentUserOf(person), account: null, rules: [], mfa }
  }
  const access = await accessOf(request)
  const { _id, ref, name, defaultTimeZone, key } = access.account
  const assumption = access.assumed?.assumption
  const [descendants, image] = await Promise.all([descendantRefs(database, key), imageTag(database, key)])
  return {
    user: currentUserOf(person),
    account: {
      _id,
      ref,
      name,
      defaultTimeZone,
      image,
      role: access.role,
      ...(access.inherited ? { inherited: true } : {}),
      descendants,
    },
    rules: access.rules,
    mfa,
    ...(assumption
      ? { assumption: { reason: assumption.reason, since: assumption.since, until: assumption.until } }
      : {}),
  }
}
