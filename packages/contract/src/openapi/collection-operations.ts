import { z } from 'zod'
import { aggregateQueryString } from '../aggregate-query.ts'
import { refusedVerbs } from '../calls/refused-verbs.ts'
import { previewQuery } from '../change-preview.ts'
import type { Collection } from '../collection.ts'
import { groupKindsOf } from '../group-lookups.ts'
import { type CollectionVerb, collectionCall } from '../collection-calls.ts'
import { collections } from '../collections/registry.ts'
import { rulesOf } from '../errors/business-rules.ts'
import { countQueryString } from '../count-query.ts'
import { exportTypes } from '../export-request.ts'
import { listQueryString } from '../list-query.ts'
import { files, historyIdHeader, type Json, json, type Operation, pathParameter, ref } from './operation.ts'
import { entityName, inlineSchema } from './schemas.ts'
import { exportNeedsFreshSignIn, sensitiveFields } from '../sensitive-fields.ts'

/** The generic verbs of every collection (specification §7); a log has only the reading ones, and refuses the others. */
export function collectionOperations(): Operation[] {
  return Object.values<Collection>(collections).flatMap((collection) => [
    ...readsOf(collection),
    ...(collection.readOnly ? refusalsOf(collection) : writesOf(collection)),
  ])
}

function readsOf(collection: Collection): Operation[] {
  const { name, subject } = collection
  const read = { tag: name, access: 'account', isGuarded: false } as const
  const list = {
    parameters: queryParameters(collection, listQueryString),
    answer: {
      status: 200,
      description: 'A page of items. With `fields`, items have only these fields and `_id`.',
      content: json(ref(`${entityName(collection)}Page`)),
    },
  } as const
  const groups = groupKindsOf(collection)
  return [
    {
      ...read,
      ...list,
      ...addressOf(collection, 'list'),
      summary: `List ${name}`,
      description: `Needs the right to view ${subject}. ${fieldsSentence(collection)}`,
      errors: ['bad_request'],
    },
    {
      ...read,
      ...addressOf(collection, 'count'),
      summary: `Count ${name}`,
      description: `The number of items that a list with this filter has. Needs the right to view ${subject}.`,
      parameters: queryParameters(collection, countQueryString),
      answer: { status: 200, description: 'The count.', content: json(ref('Counted')) },
      errors: ['bad_request'],
    },
    {
      ...read,
      ...addressOf(collection, 'aggregate'),
      summary: `Count ${name} by fields or by periods of time`,
      description: `Needs the right to view ${subject}.`,
      parameters: queryParameters(collection, aggregateQueryString),
      answer: { status: 200, description: 'Rows of values and their counts.', content: json(ref('Aggregated')) },
      errors: ['bad_request'],
    },
    {
      ...read,
      ...addressOf(collection, 'get'),
      summary: `Get an item of ${name}`,
      description: `Returns 404 for missing and out-of-scope items. Needs the right to view ${subject}.`,
      parameters: [idOf(collection)],
      answer: { status: 200, description: 'The item.', content: json(ref(entityName(collection))) },
      errors: ['bad_request', 'not_found'],
    },
    {
      ...read,
      isGuarded: true,
      ...addressOf(collection, 'export'),
      summary: `Export ${name}`,
      description: `All pages of a list as a file, with names instead of ids. Needs the right to view ${subject}${exportNeedsFreshSignIn(collection) ? ' and a fresh sign-in' : ''}.`,
      needsFreshSignIn: exportNeedsFreshSignIn(collection),
      parameters: [{ $ref: '#/components/parameters/allAccounts' }],
      body: ref('ExportRequest'),
      answer: { status: 200, description: 'The file, streamed.', content: files(exportTypes) },
      errors: ['too_many'],
    },
    ...(groups.length > 0
      ? [
          {
            ...read,
            ...list,
            ...addressOf(collection, 'group'),
            summary: `List the ${name} of a group`,
            description: `The kinds of groups: ${groups.map((kind) => kind.name).join(', ')}. Needs the rights to view ${subject} and the group.`,
            parameters: [pathParameter('id', 'The _id of the group.'), ...list.parameters],
            errors: ['bad_request', 'not_found'] as const,
          },
        ]
      : [
          {
            ...read,
            ...addressOf(collection, 'group'),
            summary: `Refused: ${name} belong to no groups`,
            description: 'Always returns 404 with the code no_group_lookup.',
            parameters: [pathParameter('id', 'Any id.')],
            errors: ['no_group_lookup'] as const,
          },
        ]),
  ]
}

function freshSignInFor(collection: Collection, { shape }: z.ZodObject) {
  const fields = sensitiveFields(collection).flatMap(({ field }) => (field in shape ? [field] : []))
  const isNeeded = fields.length > 0
  return { isNeeded, sentence: isNeeded ? ` Some changes of ${fields.join(', ')} need a fresh sign-in.` : '' }
}

function writesOf(collection: Collection): Operation[] {
  const { name, subject } = collection
  const write = { tag: name, access: 'account', isGuarded: true } as const
  const item = json(ref(entityName(collection)))
  const needs = `Needs the right to manage ${subject}.`
  const toCreate = freshSignInFor(collection, collection.createSchema)
  const toPatch = freshSignInFor(collection, collection.patchSchema)
  return [
    {
      ...write,
      ...addressOf(collection, 'create'),
      summary: `Create an item of ${name}`,
      description: `In the current account. ${needs}${toCreate.sentence}`,
      needsFreshSignIn: toCreate.isNeeded,
      parameters: previewParameter(collection),
      body: ref(`${entityName(collection)}Create`),
      answer: { status: 201, description: 'The current item.', headers: historyIdHeader, content: item },
      errors: ['taken', 'unknown_reference', ...rulesOf(collection, 'create')],
    },
    {
      ...write,
      ...addressOf(collection, 'patch'),
      summary: `Change an item of ${name}`,
      description: `Changes the fields in the body. With If-Match or \`version\` in the body, which must agree, returns 409 with the current item if another user has changed it since. ${needs}${toPatch.sentence}`,
      needsFreshSignIn: toPatch.isNeeded,
      parameters: [idOf(collection), { $ref: '#/components/parameters/ifMatch' }, ...previewParameter(collection)],
      body: ref(`${entityName(collection)}Patch`),
      answer: { status: 200, description: 'The current item.', headers: historyIdHeader, content: item },
      errors: ['not_found', 'conflict', 'taken', 'unknown_reference', ...rulesOf(collection, 'patch')],
    },
    {
      ...write,
      ...addressOf(collection, 'delete'),
      summary: `Delete an item of ${name}`,
      description: `Returns 422 if other items depend on it. ${needs}`,
      parameters: [idOf(collection), ...previewParameter(collection)],
      answer: { status: 204, description: 'The item is deleted.', headers: historyIdHeader },
      errors: ['bad_request', 'not_found', 'used_by_others', ...rulesOf(collection, 'delete')],
    },
  ]
}

function refusalsOf(collection: Collection): Operation[] {
  const { name } = collection
  return refusedVerbs(collection).map((verb) => ({
    tag: name,
    access: 'account',
    isGuarded: true,
    ...addressOf(collection, verb),
    summary: `Refused: ${name} are read-only`,
    description: `Always returns 405, with the methods of the path in Allow: only the server writes ${name}, so that they prove what happened.`,
    parameters: verb === 'create' ? [] : [idOf(collection)],
    errors: ['read_only'],
  }))
}

function addressOf(collection: Collection, verb: CollectionVerb) {
  return { id: `${verb}-${collection.name}`, ...collectionCall(collection, verb) }
}

function idOf({ entity }: Collection) {
  return pathParameter('id', `The _id of the ${entity}.`)
}

function fieldsSentence({ queryable, searchable, newestBy }: Collection) {
  const search = searchable.length > 0 ? ` Search covers ${searchable.join(', ')}.` : ''
  return `Filter and sort accept ${queryable.join(', ')}. Sorted by ${newestBy}, newest first, by default.${search}`
}

const descriptions: Record<string, string> = {
  filter: 'Conditions on fields, as JSON.',
  sort: 'The field and the direction, as JSON.',
  page: 'The page, from 0.',
  size: 'The number of items on a page.',
  search: 'Words to find.',
  fields: 'The fields to return, as JSON; all if it is missing.',
  after: 'The `next` of the previous page: the cursor of endless lists, instead of `page`.',
  by: 'Fields to count by, or fields with a period of time, as JSON.',
  preview:
    'Tries the change and stores nothing: the answer is 200 with a `ChangePreview`, which says who gains and who loses access, and what has no room on controllers. `room`: only the room.',
  timeZone: 'The IANA time zone in which days begin; that of the current account if it is missing.',
}

function previewParameter(collection: Collection) {
  return collection.isPolicy ? queryParameters(collection, previewQuery) : []
}

/** The query as the server parses it; a parameter with JSON text has the schema of the JSON. */
function queryParameters(collection: Collection, query: z.ZodObject): Json[] {
  return Object.entries<z.core.$ZodType>(query.shape).map(([name, schema]) => {
    const inner = jsonIn(collection)[name]
    const optional = z.safeParse(schema, undefined).success
    const value = inner ? { content: { 'application/json': { schema: inner } } } : { schema: inlineSchema(schema) }
    return { name, in: 'query', required: !optional, description: descriptions[name] ?? name, ...value }
  })
}

function jsonIn({ queryable, entitySchema }: Collection): Record<string, ReturnType<typeof ref>> {
  return {
    filter: ref('Filter'),
    sort: { allOf: [ref('Sort')], properties: { prop: { enum: [...queryable] } } },
    fields: { type: 'array', items: { enum: Object.keys(entitySchema.shape) } },
    by: ref('AggregateBy'),
  }
}
