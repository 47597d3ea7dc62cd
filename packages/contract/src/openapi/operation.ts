import type { Call, SignInStep } from '../call.ts'
import { historyHeader } from '../calls/audit-logs.ts'
import { type ErrorCode, errorStatus } from '../errors.ts'

export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }
export type JsonSchema = { readonly [key: string]: Json }

/** One operation of the OpenAPI document. */
export type Operation = {
  method: Call['method']
  /** As OpenAPI writes it: `/api/doors/{id}`. */
  path: string
  id: string
  tag: string
  summary: string
  description?: string | undefined
  access: 'none' | 'session' | 'account'
  /** Whether X-JS-ACCOUNT and Origin guard it against forged requests. */
  isGuarded: boolean
  needsFreshSignIn?: boolean | undefined
  servesWithout?: readonly SignInStep[] | undefined
  parameters?: readonly Json[]
  body?: JsonSchema | undefined
  isBodyRequired?: boolean
  /** Media types of a body that is a file. */
  upload?: readonly string[] | undefined
  /** Undefined for a method that is always refused. */
  answer?: {
    status: 200 | 201 | 204
    description: string
    headers?: { readonly [name: string]: JsonSchema } | undefined
    content?: { readonly [type: string]: JsonSchema } | undefined
  }
  errors?: readonly ErrorCode[]
}

/** The operation as an OpenAPI 3.1 object, with the headers, errors and security that follow from its access. */
export function describeOperation(operation: Operation): Json {
  const { id, tag, summary, description, parameters = [], body, isBodyRequired = true, upload, answer } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(operation.access === 'none' ? { security: [] } : {}),
    parameters: [...headersOf(operation), ...parameters],
    ...(body ? { requestBody: { required: isBodyRequired, content: { 'application/json': { schema: body } } } } : {}),
    ...(upload ? { requestBody: { required: true, content: filesOf(upload) } } : {}),
    responses: {
      ...(answer ? success(answer) : {}),
      ...refusals(operation),
    },
  }
}

function success({ status, description, headers, content }: NonNullable<Operation['answer']>) {
  return {
    [status]: { description, ...(headers ? { headers } : {}), ...(content ? contentOf(content) : {}) },
  }
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Names the audit log entry of a change, which `undo` takes. */
export const historyIdHeader = { [historyHeader]: { $ref: '#/components/headers/HistoryId' } }

export function json(schema: JsonSchema) {
  return { 'application/json': schema }
}

/** The content of an answer that is a file of one of these media types. */
export function files(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, fileSchema(type)]))
}

function fileSchema(type: string): JsonSchema {
  if (type === 'application/json') return { type: 'array', items: { type: 'object' } }
  if (type.startsWith('text/')) return { type: 'string' }
  return { type: 'string', contentMediaType: type }
}

export function pathParameter(name: string, description: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}

function headersOf({ access, isGuarded }: Pick<Operation, 'access' | 'isGuarded'>): Json[] {
  const account = access !== 'none' || isGuarded ? [{ $ref: '#/components/parameters/account' }] : []
  const allAccounts = access === 'account' && !isGuarded ? [{ $ref: '#/components/parameters/allAccounts' }] : []
  const assumed = access === 'account' ? [{ $ref: '#/components/parameters/assumeAccount' }] : []
  return [...account, ...allAccounts, ...assumed]
}

function contentOf(content: { readonly [type: string]: JsonSchema }) {
  return { content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])) }
}

function filesOf(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))
}

/** The errors by status: those of the operation, and those of the checks before it. */
function refusals({ access, isGuarded, needsFreshSignIn, servesWithout = [], body, errors = [] }: Operation) {
  const codes = new Set<ErrorCode>([...errors, 'internal', 'too_slow', 'unavailable'])
  if (access !== 'none') add(['unauthenticated', 'session_ended', 'header_missing', 'header_invalid'])
  if (access !== 'none' && !servesWithout.includes('code')) add(['code_owed'])
  if (access !== 'none' && !servesWithout.includes('verified email')) add(['unverified'])
  if (access === 'account') add(['account_refused', 'forbidden'])
  if (needsFreshSignIn) add(['fresh_sign_in_needed'])
  if (isGuarded) add(['header_missing', 'header_invalid', 'origin_refused'])
  if (body) add(['bad_request', 'too_large'])
  const statuses = [...new Set([...codes].map((code) => errorStatus[code]))].sort((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, refusal({ status, codes: [...codes] })]))

  function add(more: readonly ErrorCode[]) {
    for (const code of more) codes.add(code)
  }
}

function refusal({ status, codes }: { status: number; codes: readonly ErrorCode[] }): Json {
  const own = codes.filter((code) => errorStatus[code] === status)
  const schema = {
    allOf: [ref('Error')],
    properties: { error: { properties: { code: { enum: own } } } },
  }
  const headers = headersOfRefusal[status]
  return { description: own.join(', '), ...(headers ? { headers } : {}), content: { 'application/json': { schema } } }
}

const headersOfRefusal: Readonly<Record<number, Record<string, JsonSchema>>> = {
  405: { Allow: { $ref: '#/components/headers/Allow' } },
  429: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
}
