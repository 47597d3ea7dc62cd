import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Access } from '../abilities/access.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { findSessionPerson, type SessionPerson } from '../sessions/session-store.ts'
import { AppError } from './app-error.ts'

export type PersonOf = (request: FastifyRequest) => Promise<SessionPerson>
export type AccessOf = (request: FastifyRequest) => Promise<Access>

/** Who is behind a request: the person of its session, or a 401. */
export function makePersonOf(database: Database): PersonOf {
  return async (request) => {
    const token = readSessionToken(request.cookies)
    if (!token) throw new AppError('unauthenticated', 'Please sign in.')
    const person = await findSessionPerson(database, token)
    if (!person) throw new AppError('session_ended', 'Your session has ended. Please sign in again.')
    return person
  }
}

/** What a request may do: its person in the account of its header X-JS-ACCOUNT, or in one assumed from there. */
export function makeAccessOf(database: Database, personOf: PersonOf): AccessOf {
  return async (request) => {
    const person = await personOf(request)
    return resolveAccess(database, {
      person,
      account: accountHeader(request.raw),
      allAccounts: allAccountsHeader(request.raw),
      assumed: assumedAccountHeader(request.raw),
      requestId: request.id,
    })
  }
}

export function accountHeader(message: IncomingMessage) {
  const values = message.headersDistinct['x-js-account'] ?? []
  const [value] = values
  if (value === undefined) throw new AppError('header_missing', 'The header X-JS-ACCOUNT names the account, or null.')
  if (values.length > 1) throw new AppError('header_invalid', 'The header X-JS-ACCOUNT came more than once.')
  if (!isRef(value)) throw new AppError('header_invalid', 'The header X-JS-ACCOUNT is not a ref.')
  return value
}

/** An account is assumed from a known other one: the two headers can't mean the same, nor none. */
function assumedAccountHeader(message: IncomingMessage) {
  const values = message.headersDistinct['x-js-assume-account'] ?? []
  const [value] = values
  if (value === undefined) return undefined
  if (values.length > 1) throw new AppError('header_invalid', 'The header x-js-assume-account came more than once.')
  if (!isRef(value) || value === 'null') {
    throw new AppError('header_invalid', 'The header x-js-assume-account is not a ref.')
  }
  const current = accountHeader(message)
  if (current === 'null' || current === value) {
    throw new AppError('header_invalid', 'The headers X-JS-ACCOUNT and x-js-assume-account disagree.')
  }
  return value
}

function isRef(value: string) {
  return /^[a-z0-9-]{1,40}$/.test(value)
}

function allAccountsHeader(message: IncomingMessage) {
  const values = message.headersDistinct['x-js-all-accounts'] ?? []
  if (values.length > 1) throw new AppError('header_invalid', 'The header x-js-all-accounts came more than once.')
  if (values[0] === undefined || values[0] === 'false') return 'no'
  if (values[0] === 'true') return 'yes'
  throw new AppError('header_invalid', 'The header x-js-all-accounts is true or false.')
}
