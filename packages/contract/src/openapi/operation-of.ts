import { z } from 'zod'
import { type Ability, type Call, isGuarded } from '../call.ts'
import { files, historyIdHeader, json, type Json, type Operation, pathParameter } from './operation.ts'
import { inlineSchema, schemaOf } from './schemas.ts'

/** A call as the document describes it. */
export function operationOf(call: Call): Operation {
  const { id, path, tag, summary, access, servesWithout, input, upload, errors = [] } = call
  return {
    id,
    method: methods[call.method],
    path,
    tag,
    summary,
    description: [call.description, abilitySentence(call)].filter(Boolean).join(' ') || undefined,
    access: access === 'optional account' ? 'account' : access,
    isGuarded: isGuarded(call),
    servesWithout,
    parameters: parametersOf(call),
    body: input && schemaOf(input),
    isBodyRequired: !input?.safeParse(undefined).success,
    upload,
    answer: answerOf(call),
    errors: call.query ? ['bad_request', ...errors] : errors,
  }
}

const methods = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const

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

/** `manage RemoteAuth or Controllers`. */
function rightOf(oneOf: readonly Ability[]) {
  const subjects = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(oneOf.map(({ subject }) => subject))
  return `${oneOf[0]?.action} ${subjects}`
}
