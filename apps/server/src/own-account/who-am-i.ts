import type { Me } from '@portcullis/contract/calls/authentication'
import type { FastifyRequest } from 'fastify'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { stillHolds } from '../abilities/access-proof.ts'
import { descendantRefs, imageTag } from '../abilities/account-tree.ts'
import type { Remembered } from '../abilities/remembered-access.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { AppError } from '../errors/app-error.ts'
import type { AccessOf, PersonOf, Recall } from '../http/access-of.ts'
import { accountHeader } from '../http/account-headers.ts'
import { missingStepOf } from '../sessions/complete-sign-in.ts'
import { currentUserOf } from '../sessions/current-user.ts'
import { type MfaPolicy, mfaStanding, mfaStandingOf, ownMfaRow } from '../sessions/mfa-standing.ts'
import { hasToken, peopleOf, sessionPerson, type SessionPerson } from '../sessions/session-store.ts'

export type WhoAmIOptions = MfaPolicy & {
  database: Database
  personOf: PersonOf
  accessOf: AccessOf
  recall: Recall
}

type WhoAmIInput = {
  request: FastifyRequest
  /** The user, if the session was read already. */
  person?: SessionPerson | undefined
}

/**
 * The user of a request, the account of its header and the rights there; the account is null for a user without any.
 * Every page loads this first: where the rights are remembered, one prepared statement reads the rest and proves them.
 */
export async function whoAmI(options: WhoAmIOptions, { request, person }: WhoAmIInput): Promise<Me> {
  const remembered = options.recall(request)
  if (remembered) {
    const me = await meRemembered(options, remembered)
    if (me) return me
  }
  return lookUpMe(options, { request, person: person ?? (await options.personOf(request)) })
}

const rememberedRow = sessionPerson.extend({
  holds: z.boolean(),
  mfa: ownMfaRow,
  descendants: z.array(z.string()),
  image: z.string().nullable(),
})

/** Undefined where the rights have changed since, or the session has ended. */
async function meRemembered({ database, isMfaRequiredOfHyperUsers }: WhoAmIOptions, remembered: Remembered) {
  const { proof, account } = remembered
  const row = await database.first(
    rememberedRow,
    prepared(
      peopleOf(
        hasToken(proof.tokenHash),
        sql`, ${stillHolds(proof)} as holds, ${mfaStandingOf(sql`person_id`, { isMfaRequiredOfHyperUsers })} as mfa, ${placeOf(account.key)}`,
      ),
    ),
  )
  if (!row?.holds || missingStepOf(row) !== undefined) return undefined
  return meOf({ person: row, access: remembered, ...row })
}

async function lookUpMe(
  { database, accessOf, isMfaRequiredOfHyperUsers }: WhoAmIOptions,
  { request, person }: { request: FastifyRequest; person: SessionPerson },
): Promise<Me> {
  // Every request in a session names an account or `null` (specification §7).
  accountHeader(request.raw)
  const mfa = await database.asSystem((tx) => mfaStanding(tx, { person: person._id, isMfaRequiredOfHyperUsers }))
  if (!person.hyper && person.memberships.length === 0) {
    return { user: currentUserOf(person), account: null, rules: [], mfa }
  }
  const access = await accessOf(request)
  const place = await database.first(placeRow, prepared(sql`select ${placeOf(access.account.key)}`))
  if (!place) throw new AppError('internal')
  return meOf({ person, access, mfa, ...place })
}

const placeRow = z.object({ descendants: z.array(z.string()), image: z.string().nullable() })

function placeOf(account: number): Sql {
  return sql`${descendantRefs(account)} as descendants, ${imageTag(account)} as image`
}

type MeInput = z.output<typeof placeRow> & {
  person: SessionPerson
  access: Pick<Access, 'account' | 'assumed' | 'role' | 'inherited' | 'rules'>
  mfa: Me['mfa']
}

function meOf({ person, access, mfa, descendants, image }: MeInput): Me {
  const { _id, ref, name, defaultTimeZone } = access.account
  const { role } = access
  const inherited = access.inherited ? { inherited: true } : {}
  const account = { _id, ref, name, defaultTimeZone, image, role, ...inherited, descendants }
  const given = access.assumed?.assumption
  const assumption = given && { assumption: { reason: given.reason, since: given.since, until: given.until } }
  return { user: currentUserOf(person), account, rules: access.rules, mfa, ...assumption }
}
