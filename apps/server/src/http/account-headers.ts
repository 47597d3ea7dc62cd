import { problem } from '@portcullis/contract/errors/problem'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors/app-error.ts'

export function accountHeader(message: IncomingMessage) {
  const values = message.headersDistinct['x-js-account'] ?? []
  const [value] = values
  if (value === undefined) throw new AppError('header_missing', { header: 'X-JS-ACCOUNT' })
  if (values.length > 1) throw headerInvalid('X-JS-ACCOUNT', 'repeated_header')
  if (!isRef(value)) throw headerInvalid('X-JS-ACCOUNT', 'not_a_ref')
  return value
}

/** Checks the account headers of any request that has them, also where the call does not use them. */
export function demandReadableHeaders(message: IncomingMessage) {
  if (message.headersDistinct['x-js-account'] !== undefined) accountHeader(message)
  allAccountsHeader(message)
  assumedAccountHeader(message)
}

/** An account is assumed from another one, so the two headers must name two different accounts. */
export function assumedAccountHeader(message: IncomingMessage) {
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

export function allAccountsHeader(message: IncomingMessage): 'yes' | 'no' {
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
