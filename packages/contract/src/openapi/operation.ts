import { historyHeader } from '../calls/audit-logs.ts'
import { type ErrorCode, errorStatus } from '../errors.ts'

export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }
export type JsonSchema = { readonly [key: string]: Json }

/** One call of the server, as the document describes it. */
export type Operation = {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete'
  /** As OpenAPI writes it: `/api/doors/{id}`. */
  path: string
  id: string
  tag: string
  summary: string
  description?: string
  /** `none` for what anybody may ask; `session` for the person alone; `account` for what is answered in an account. */
  asks: 'none' | 'session' | 'account'
  /** What the header X-JS-ACCOUNT guards: every write, and reads that have an effect. */
  isGuarded: boolean
  parameters?: readonly Json[]
  body?: JsonSchema
  /** Types of a body that is not JSON. */
  upload?: readonly string[]
  answer: {
    status: 200 | 201 | 204
    description: string
    headers?: { readonly [name: string]: JsonSchema }
    content?: { readonly [type: string]: JsonSchema }
  }
  errors?: readonly ErrorCode[]
}

/** The operation as an OpenAPI 3.1 object: with the headers, refusals and security that follow from what it asks for. */
export function describeOperation(operation: Operation): Json {
  const { id, tag, summary, description, parameters = [], body, upload, answer, asks, isGuarded } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(asks === 'none' ? { security: [] } : {}),
    parameters: [...headersOf({ asks, isGuarded }), ...parameters],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    ...(upload ? { requestBody: { required: true, content: filesOf(upload) } } : {}),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.headers ? { headers: answer.headers } : {}),
        ...(answer.content ? contentOf(answer.content) : {}),
      },
      ...refusals(operation),
    },
  }
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** What every change answers, so that it can be undone. */
export const historyIdHeader = { [historyHeader]: { $ref: '#/components/headers/HistoryId' } }

export function json(schema: JsonSchema) {
  return { 'application/json': schema }
}

export function pathParameter(name: string, description: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}

function headersOf({ asks, isGuarded }: Pick<Operation, 'asks' | 'isGuarded'>): Json[] {
  const account = asks === 'account' || isGuarded ? [{ $ref: '#/components/parameters/account' }] : []
  const allAccounts = asks === 'account' && !isGuarded ? [{ $ref: '#/components/parameters/allAccounts' }] : []
  const assumed = asks === 'account' ? [{ $ref: '#/components/parameters/assumeAccount' }] : []
  return [...account, ...allAccounts, ...assumed]
}

function contentOf(content: { readonly [type: string]: JsonSchema }) {
  return { content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])) }
}

function filesOf(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))
}

/** Refusals by status: what the operation names, and what follows from the locks before it. */
function refusals({ asks, isGuarded, body, errors = [] }: Operation) {
  const codes = new Set<ErrorCode>([...errors, 'internal', 'unavailable'])
  if (asks !== 'none') add(['unauthenticated', 'session_ended', 'code_owed', 'unverified'])
  if (asks === 'account') add(['header_missing', 'header_invalid', 'account_refused', 'forbidden'])
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
  const headers = status === 429 ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}
  return { description: own.join(', '), ...headers, content: { 'application/json': { schema } } }
}
