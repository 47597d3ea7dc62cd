import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Access } from '../abilities/access.ts'
import { type AccessProof, beginProof, stillHolds } from '../abilities/access-proof.ts'
import { makeRememberedAccess, type Remembered } from '../abilities/remembered-access.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { findSessionPerson, type SessionPerson } from '../sessions/session-store.ts'
import { hashOfToken } from '../sessions/token.ts'
import { AppError } from '../errors/app-error.ts'
import { accountHeader, allAccountsHeader, assumedAccountHeader } from './account-headers.ts'
import { disconnectOf } from './watch-disconnects.ts'
import { isTurnLost } from './error-answers.ts'
import { type Lack, missingStepOf, refusalFor } from '../sessions/complete-sign-in.ts'
import { isTurnRefused, Turns } from '../limits/turns.ts'
import { noteUser } from './user-of-request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The missing sign-in steps with which this call may still be made. */
    servesWithout?: readonly Lack[]
  }
}

export type PersonOf = (request: FastifyRequest) => Promise<SessionPerson>
export type AccessOf = (request: FastifyRequest) => Promise<Access>
/** Answers a request from rights that may be remembered: `work` proves them within its own transaction, and may be done again. */
export type Answering = <T>(request: FastifyRequest, work: (access: Access) => Promise<T>) => Promise<T>

/** Answers a request from rights that were just checked, in the turn of its user and account. */
export type Entering = <T>(request: FastifyRequest, work: (access: Access) => Promise<T>) => Promise<T>

/** Works in the turn of a user, for calls in no account. */
export type EnqueueForUser = <T>(person: string, work: () => Promise<T>) => Promise<T>

/** The remembered rights of a request, which still have to be proven; undefined where they must be looked up. */
export type Recall = (request: FastifyRequest) => Remembered | undefined

type MakePersonOfOptions = { database: Database; publicUrl: string | undefined }

/**
 * Limits the parallel requests of one user, and of one account, to fewer than the server has database connections, so that
 * other users' requests do not wait for them.
 */
const perUser = { most: 6, waiting: 200 } as const
const perAccount = { most: 14, waiting: 2_000 } as const

/** Where a tree of accounts keeps growing, a request that waits for its lock would retry for ever. */
const maxTries = 4

/** The user of the request's session; a 401 without a session, a 403 while the sign-in is incomplete. */
export function makePersonOf({ database, publicUrl }: MakePersonOfOptions): PersonOf {
  return async (request) => {
    const person = await findSessionPerson(database, tokenOf(request, publicUrl))
    if (!person) throw new AppError('session_ended')
    noteUser(request, person._id)
    const lack = missingStepOf(person)
    if (lack && !request.routeOptions.config.servesWithout?.includes(lack)) throw refusalFor(lack)
    return person
  }
}

/** The rights of a request: its user in the account of X-JS-ACCOUNT, or in one assumed from there. */
export function makeAccessOf({ database, publicUrl, personOf }: MakePersonOfOptions & { personOf: PersonOf }): {
  accessOf: AccessOf
  answering: Answering
  entering: Entering
  enqueueForUser: EnqueueForUser
  recall: Recall
} {
  const remembered = makeRememberedAccess()
  const [turnsOfUser, turnsOfAccount] = [new Turns(perUser), new Turns(perAccount)]
  return {
    accessOf,
    enqueueForUser: (person, work) => turnsOfUser.take(person, work),
    async entering(request, work) {
      const access = await accessOf(request)
      const demandUnchanged = async () => {
        if (!isDeepStrictEqual(rightsOf(await accessOf(request)), rightsOf(access))) throw new AppError('unavailable')
      }
      return enqueue(access, () => work({ ...access, demandUnchanged }))
    },
    async answering(request, work) {
      const { key } = detailsOf(request, publicUrl)
      for (let tries = 1; tries < maxTries; tries += 1) {
        const access = remembered.get(key) ?? (await lookUp(request))
        noteUser(request, access.person._id)
        try {
          return await enqueue(access, () => work({ ...access, ...ofRequest(request) }))
        } catch (error) {
          // At once: a flood of requests costs no query.
          if (isTurnRefused(error)) throw error
          // A refusal can be outdated by a right that has begun since, as an answer can by a right that has ended.
          const isAsBefore = !access.proof || (await holds(access.proof))
          if (isAsBefore && !isTurnLost(error)) throw error
          if (!isAsBefore) remembered.delete(key)
        }
      }
      const access = { ...unproven(await lookUp(request)), ...ofRequest(request) }
      return enqueue(access, () => work(access))
    },
    recall(request) {
      const hasAccount = request.raw.headersDistinct['x-js-account'] !== undefined
      return hasAccount ? remembered.get(detailsOf(request, publicUrl).key) : undefined
    },
  }

  async function accessOf(request: FastifyRequest): Promise<Access> {
    const { key } = detailsOf(request, publicUrl)
    const found = remembered.get(key)
    if (found && (await holds(found.proof))) {
      noteUser(request, found.person._id)
      return { ...found, ...ofRequest(request) }
    }
    return { ...(await lookUp(request)), ...ofRequest(request) }
  }

  function enqueue<T>({ person, account }: Pick<Access, 'person' | 'account'>, work: () => Promise<T>) {
    return turnsOfUser.take(person._id, () => turnsOfAccount.take(`${account.key}`, work))
  }

  async function holds(proof: AccessProof) {
    return (await database.ask({ accounts: [], holds: stillHolds(proof) }, [])) !== undefined
  }

  async function lookUp(request: FastifyRequest): Promise<Access> {
    const { key, tokenHash, ...details } = detailsOf(request, publicUrl)
    const begun = await beginProof(database, tokenHash)
    const person = await personOf(request)
    const { upward, ...access } = await resolveAccess(database, { person, requestId: request.id, ...details })
    // Users acting for another account are looked up on every request: their rights depend on two accounts. So are users who have not
    // signed in completely: what they may do depends on the route.
    if (begun?.person !== person._id || details.assumed !== undefined || missingStepOf(person) !== undefined)
      return access
    const proven = { ...access, proof: { ...begun, tokenHash, accounts: upward } }
    remembered.set(key, proven)
    return proven
  }
}

function rightsOf({ person, account, role, rules, subtree, covered, reads }: Access) {
  return { person: person._id, account: account.key, role, rules, subtree, covered, reads }
}

/** What an access does not remember for later requests. */
function ofRequest(request: FastifyRequest) {
  return { requestId: request.id, signal: disconnectOf(request) }
}

/** Looked up for this answer alone: a change of rights since then comes after it. */
function unproven({ proof: _proof, ...access }: Access): Access {
  return access
}

function detailsOf(request: FastifyRequest, publicUrl: string | undefined) {
  const tokenHash = hashOfToken(tokenOf(request, publicUrl))
  const account = accountHeader(request.raw)
  const allAccounts = allAccountsHeader(request.raw)
  const assumed = assumedAccountHeader(request.raw)
  return {
    key: [tokenHash.toString('base64'), account, allAccounts, assumed].join(' '),
    tokenHash,
    account,
    allAccounts,
    assumed,
  }
}

function tokenOf(request: FastifyRequest, publicUrl: string | undefined) {
  const token = readSessionToken(request.cookies, publicUrl)
  if (!token) throw new AppError('unauthenticated')
  return token
}
