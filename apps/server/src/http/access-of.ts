import { problem } from '@portcullis/contract/errors/problem'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Access } from '../abilities/access.ts'
import { type AccessProof, beginProof, stillHolds } from '../abilities/access-proof.ts'
import { makeRememberedAccess } from '../abilities/remembered-access.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { findSessionPerson, type SessionPerson } from '../sessions/session-store.ts'
import { hashOfToken } from '../sessions/token.ts'
import { AppError } from '../errors/app-error.ts'
import { isTurnLost } from './error-answers.ts'
import { type Lack, lackOf, refusalFor } from '../sessions/complete-sign-in.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a sign-in may lack that this call serves all the same. */
    servesWithout?: readonly Lack[]
  }
}

export type PersonOf = (request: FastifyRequest) => Promise<SessionPerson>
export type AccessOf = (request: FastifyRequest) => Promise<Access>
/** Answers a request from rights that may be remembered: `work` proves them within its own transaction, and may be done again. */
export type Answering = <T>(request: FastifyRequest, work: (access: Access) => Promise<T>) => Promise<T>

type Parts = { database: Database; publicUrl: string | undefined }

/** Where a tree of accounts grows and grows, whoever waits for a turn in it would begin anew for ever. */
const mostTries = 4

/** Who is behind a request: the person of its session, or a 401; a 403 where their sign-in is not complete yet. */
export function makePersonOf({ database, publicUrl }: Parts): PersonOf {
  return async (request) => {
    const person = await findSessionPerson(database, tokenOf(request, publicUrl))
    if (!person) throw new AppError('session_ended')
    const lack = lackOf(person)
    if (lack && !request.routeOptions.config.servesWithout?.includes(lack)) throw refusalFor(lack)
    return person
  }
}

/** What a request may do: its person in the account of its header X-JS-ACCOUNT, or in one assumed from there. */
export function makeAccessOf({ database, publicUrl, personOf }: Parts & { personOf: PersonOf }): {
  accessOf: AccessOf
  answering: Answering
} {
  const remembered = makeRememberedAccess()
  return {
    async accessOf(request) {
      const { key } = askedBy(request, publicUrl)
      const found = remembered.get(key)
      if (found && (await holds(found.proof))) return { ...found, requestId: request.id }
      return lookUp(request)
    },
    async answering(request, work) {
      const { key } = askedBy(request, publicUrl)
      for (let tries = 1; tries < mostTries; tries += 1) {
        const access = remembered.get(key) ?? (await lookUp(request))
        try {
          return await work({ ...access, requestId: request.id })
        } catch (error) {
          // A refusal may come from a right that has begun since, as an answer may come from one that has ended.
          const isAsBefore = !access.proof || (await holds(access.proof))
          if (isAsBefore && !isTurnLost(error)) throw error
          if (!isAsBefore) remembered.delete(key)
        }
      }
      return work(unproven(await lookUp(request)))
    },
  }

  async function holds(proof: AccessProof) {
    return (await database.ask({ accounts: [], holds: stillHolds(proof) }, [])) !== undefined
  }

  async function lookUp(request: FastifyRequest): Promise<Access> {
    const { key, tokenHash, ...asked } = askedBy(request, publicUrl)
    const begun = await beginProof(database, tokenHash)
    const person = await personOf(request)
    const { upward, ...access } = await resolveAccess(database, { person, requestId: request.id, ...asked })
    // Who acts in the place of another is looked up for every request: their rights hang on two accounts. So is who has not
    // signed in completely: what they may do hangs on the route.
    if (begun?.person !== person._id || asked.assumed !== undefined || lackOf(person) !== undefined) return access
    const proven = { ...access, proof: { ...begun, tokenHash, accounts: upward } }
    remembered.set(key, proven)
    return proven
  }
}

/** Looked up for this answer alone: a change of rights since then comes after it. */
function unproven({ proof: _proof, ...access }: Access): Access {
  return access
}

function askedBy(request: FastifyRequest, publicUrl: string | undefined) {
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
export function accountHeader(message: IncomingMessage) {
  const values = message.headersDistinct['x-js-account'] ?? []
  const [value] = values
  if (value === undefined) throw new AppError('header_missing', { header: 'X-JS-ACCOUNT' })
  if (values.length > 1) throw headerInvalid('X-JS-ACCOUNT', 'repeated_header')
  if (!isRef(value)) throw headerInvalid('X-JS-ACCOUNT', 'not_a_ref')
  return value
}

/** An account is assumed from a known other one: the two headers can't mean the same, nor none. */
function assumedAccountHeader(message: IncomingMessage) {
  const values = message.headersDistinct['x-js-assume-account'] ?? []
  const [value] = values
  if (value === undefined) return undefined
  if (values.length > 1) throw headerInvalid('x-js-assume-account', 'repeated_header')
  if (!isRef(value) || value === 'null') throw headerInvalid('x-js-assume-account', 'not_a_ref')
  const current = accountHeader(message)
  if (current === 'null' || current === value) throw headerInvalid('x-js-assume-account', 'headers_disagree')
  return value
}

function isRef(value: string) {
  return /^[a-z0-9-]{1,40}$/.test(value)
}

function allAccountsHeader(message: IncomingMessage): 'yes' | 'no' {
  const values = message.headersDistinct['x-js-all-accounts'] ?? []
  if (values.length > 1) throw headerInvalid('x-js-all-accounts', 'repeated_header')
  if (values[0] === undefined || values[0] === 'false') return 'no'
  if (values[0] === 'true') return 'yes'
  throw headerInvalid('x-js-all-accounts', 'not_true_or_false')
}

type HeaderCode = 'repeated_header' | 'not_a_ref' | 'headers_disagree' | 'not_true_or_false'

function headerInvalid(header: string, code: HeaderCode) {
  return new AppError('header_invalid', { header }, { fields: { [header]: problem(code) } })
}
