import { z } from 'zod'
import { calls } from '../calls/registry.ts'
import { collectionOperations } from './collection-operations.ts'
import {
  describeOperation,
  files,
  historyIdHeader,
  type Json,
  json,
  type Operation,
  pathParameter,
} from './operation.ts'
import { componentSchemas, inlineSchema, schemaOf } from './schemas.ts'
import { type Ability, type Call, isGuarded } from '../call.ts'

/** The OpenAPI 3.1 document of the server, made from the calls and schemas that the server uses, without secrets. */
export function openApiDocument({ version }: { version: string }) {
  const operations = [...calls.map(operationOf), ...collectionOperations()]
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describeOperation(operation) }
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))].toSorted()
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'Portcullis', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ session: [] }, { secureSession: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: { securitySchemes, parameters, headers, schemas: componentSchemas() },
  }
}

const description = [
  'The API of the access-control console, open to other programs.',
  'A program signs in with `POST /api/auth/login` and keeps the cookie. Every request, also the sign-in, sends X-JS-ACCOUNT: the ref of an account, or `null`.',
  'A session ends a minute after the idle time of its user: a program signs in again, or its user has a long idle time. Until a sign-in is complete, calls return 403 `code_owed` or `unverified`.',
  'Times are in UTC, ids are UUIDs, and an error is `{error: {code, message, fields?, requestId}}`.',
  'The real-time channel is Socket.IO at `/primus`: `join` a room such as `event:acme-hq:*` to receive `event:save` and `event:remove`.',
].join('\n\n')

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'portcullis', description: 'Set by the sign-in.' },
  secureSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-portcullis',
    description: 'The same cookie behind TLS.',
  },
}

const parameters = {
  account: {
    name: 'X-JS-ACCOUNT',
    in: 'header',
    required: true,
    description: 'Ref of the account to act in; `null` is the first account that the user can see.',
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
    example: 'acme-hq',
  },
  allAccounts: {
    name: 'x-js-all-accounts',
    in: 'header',
    required: false,
    description: '`true` widens reads to the account and all accounts below it.',
    schema: { enum: ['true', 'false'] },
  },
  assumeAccount: {
    name: 'x-js-assume-account',
    in: 'header',
    required: false,
    description:
      'Ref of an account that a hyper user acts inside; the audit log records both accounts. Needs an assumption that was started, or a fresh sign-in; otherwise the answer is 403 `fresh_sign_in_needed`.',
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The version of the item that the change is based on.',
    schema: { type: 'string' },
    example: '"3"',
  },
}

const headers = {
  HistoryId: {
    description: 'The _id of the entry of the change in auditLogs, which `undo` takes.',
    schema: { type: 'string', format: 'uuid' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
}

/** Converts a call to an operation of the document. */
function operationOf(call: Call): Operation {
  const { id, path, tag, summary, access, needsFreshSignIn, servesWithout, input, upload, errors = [] } = call
  return {
    id,
    method: call.method,
    path,
    tag,
    summary,
    description:
      [call.description, abilitySentence(call), needsFreshSignIn && 'Needs a fresh sign-in.']
        .filter(Boolean)
        .join(' ') || undefined,
    access: access === 'optional account' ? 'account' : access,
    isGuarded: isGuarded(call),
    needsFreshSignIn,
    servesWithout,
    parameters: parametersOf(call),
    body: input && schemaOf(input),
    isBodyRequired: !input?.safeParse(undefined).success,
    upload,
    answer: answerOf(call),
    errors: call.query ? ['bad_request', ...errors] : errors,
  }
}

function answerOf({ output, download, isRecorded, returns, status }: Call): Operation['answer'] {
  const content = output ? json(schemaOf(output)) : download && files(download)
  return {
    status: status ?? (content ? 200 : 204),
    description: returns,
    headers: isRecorded && historyIdHeader,
    content,
  }
}

function parametersOf({ params = {}, query, readsAllAccounts }: Call): Json[] {
  return [
    ...Object.entries(params).map(([name, description]) => pathParameter(name, description)),
    ...(readsAllAccounts ? [{ $ref: '#/components/parameters/allAccounts' }] : []),
    ...Object.entries<z.core.$ZodType>(query?.shape ?? {}).map(([name, schema]) => {
      const { description, ...value } = inlineSchema(schema)
      const required = !z.safeParse(schema, undefined).success
      return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema: value }
    }),
  ]
}

function abilitySentence({ abilities = [] }: Call) {
  if (abilities.length === 0) return ''
  const rights = abilities.map((entry) => ('action' in entry ? rightOf([entry]) : rightOf(entry)))
  return `Needs the right to ${new Intl.ListFormat('en-GB').format(rights)}.`
}

/** Such as `manage RemoteAuth or Controllers`. */
function rightOf(oneOf: readonly Ability[]) {
  const subjects = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(oneOf.map(({ subject }) => subject))
  return `${oneOf[0]?.action} ${subjects}`
}
