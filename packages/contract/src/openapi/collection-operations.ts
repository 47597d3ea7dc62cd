import { z } from 'zod'
import { aggregateQueryString } from '../aggregate-query.ts'
import type { Collection } from '../collection.ts'
import { collections } from '../collections/registry.ts'
import { countQueryString } from '../count-query.ts'
import { metaOf } from '../fields.ts'
import { listQueryString } from '../list-query.ts'
import { historyIdHeader, type Json, json, type Operation, pathParameter, ref } from './operation.ts'
import { entityName, inlineSchema } from './schemas.ts'

/** The generic verbs of every collection (specification §7), closed where a collection is a log. */
export function collectionOperations(): Operation[] {
  return Object.values<Collection>(collections).flatMap((collection) => [
    ...readsOf(collection),
    ...(collection.readOnly ? [] : writesOf(collection)),
  ])
}

function readsOf(collection: Collection): Operation[] {
  const { name, subject } = collection
  const read = { method: 'get', tag: name, asks: 'account', isGuarded: false } as const
  const list = {
    parameters: queryParameters(collection, listQueryString),
    answer: {
      status: 200,
      description: 'A page of items. With `fields`, items have these fields and `_id` only.',
      content: json(ref(`${entityName(collection)}Page`)),
    },
  } as const
  const groups = groupsOf(collection)
  return [
    {
      ...read,
      ...list,
      path: `/api/${name}`,
      id: `list-${name}`,
      summary: `List ${name}`,
      description: `Needs the right to view ${subject}. ${fieldsSentence(collection)}`,
      errors: ['bad_request'],
    },
    {
      ...read,
      path: `/api/${name}/count`,
      id: `count-${name}`,
      summary: `Count ${name}`,
      description: `How many items such a list would show. Needs the right to view ${subject}.`,
      parameters: queryParameters(collection, countQueryString),
      answer: { status: 200, description: 'The count.', content: json(ref('Counted')) },
      errors: ['bad_request'],
    },
    {
      ...read,
      path: `/api/${name}/aggregate`,
      id: `aggregate-${name}`,
      summary: `Count ${name} by fields or by stretches of time`,
      description: `Needs the right to view ${subject}.`,
      parameters: queryParameters(collection, aggregateQueryString),
      answer: { status: 200, description: 'Rows of values and their counts.', content: json(ref('Aggregated')) },
      errors: ['bad_request'],
    },
    {
      ...read,
      path: `/api/${name}/{id}`,
      id: `get-${name}`,
      summary: `Get one of ${name}`,
      description: `What is foreign and what is not there give the same 404. Needs the right to view ${subject}.`,
      parameters: [idOf(collection)],
      answer: { status: 200, description: 'The item.', content: json(ref(entityName(collection))) },
      errors: ['bad_request', 'not_found'],
    },
    {
      ...read,
      method: 'post',
      isGuarded: true,
      path: `/api/${name}/export`,
      id: `export-${name}`,
      summary: `Export ${name}`,
      description: `All pages of a list as a file, names in the place of ids. Needs the right to view ${subject}.`,
      parameters: [{ $ref: '#/components/parameters/allAccounts' }],
      body: ref('ExportRequest'),
      answer: { status: 200, description: 'The file, streamed.', content: files },
      errors: ['too_many'],
    },
    ...(groups
      ? [
          {
            ...read,
            ...list,
            path: `/api/${name}/group/{id}`,
            id: `group-${name}`,
            summary: `List the ${name} of a group`,
            description: `Needs the rights to view ${subject} and ${groups.subject}.`,
            parameters: [idOf(groups), ...list.parameters],
            errors: ['bad_request', 'not_found'] as const,
          },
        ]
      : []),
  ]
}

const files = {
  'text/csv': { type: 'string' },
  'application/json': { type: 'array', items: { type: 'object' } },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { type: 'string', format: 'binary' },
}

function writesOf(collection: Collection): Operation[] {
  const { name, subject } = collection
  const write = { tag: name, asks: 'account', isGuarded: true } as const
  const item = json(ref(entityName(collection)))
  const needs = `Needs the right to manage ${subject}.`
  return [
    {
      ...write,
      method: 'post',
      path: `/api/${name}`,
      id: `create-${name}`,
      summary: `Create one of ${name}`,
      description: `In the current account. ${needs}`,
      body: ref(`${entityName(collection)}Create`),
      answer: { status: 201, description: 'The item as it now is.', headers: historyIdHeader, content: item },
      errors: ['taken', 'refused', 'unknown_reference'],
    },
    {
      ...write,
      method: 'patch',
      path: `/api/${name}/{id}`,
      id: `patch-${name}`,
      summary: `Change one of ${name}`,
      description: `Changes the fields that the body names. With If-Match or \`version\` in the body, which must not differ, a change by somebody else in between is a 409 that carries the item as it is. ${needs}`,
      parameters: [idOf(collection), { $ref: '#/components/parameters/ifMatch' }],
      body: ref(`${entityName(collection)}Patch`),
      answer: { status: 200, description: 'The item as it now is.', headers: historyIdHeader, content: item },
      errors: ['not_found', 'conflict', 'taken', 'refused', 'unknown_reference'],
    },
    {
      ...write,
      method: 'delete',
      path: `/api/${name}/{id}`,
      id: `delete-${name}`,
      summary: `Delete one of ${name}`,
      description: `Only what nothing else depends on. ${needs}`,
      parameters: [idOf(collection)],
      answer: { status: 204, description: 'It is gone.', headers: historyIdHeader },
      errors: ['bad_request', 'not_found', 'still_in_use', 'refused'],
    },
  ]
}

/** The collection whose members are items of this one. */
function groupsOf({ name }: Collection) {
  return Object.values<Collection>(collections).find((other) => {
    const members = other.fields.optional['members']
    const meta = members && metaOf(members)
    return meta?.kind === 'links' && meta.of.some((target) => target.collection === name)
  })
}

function idOf({ entity }: Collection) {
  return pathParameter('id', `The _id of the ${entity}.`)
}

function fieldsSentence({ queryable, searchable, newestBy }: Collection) {
  const search = searchable.length > 0 ? ` Search looks in ${searchable.join(', ')}.` : ''
  return `Filter and sort know ${queryable.join(', ')}. Sorted by ${newestBy}, newest first, unless asked otherwise.${search}`
}

const descriptions: Record<string, string> = {
  filter: 'Which items: conditions on fields, as JSON.',
  sort: 'By which field, and in which direction, as JSON.',
  page: 'Which page, from 0.',
  size: 'How many items a page has.',
  search: 'Words to look for.',
  fields: 'Which fields to answer, as JSON; all of them without it.',
  after: 'The `next` of the page before: the cursor of endless lists, in the place of `page`.',
  by: 'What to count by: fields, or fields with a bucket of time, as JSON.',
  timeZone: "The IANA zone in which days begin; without it, the current account's.",
}

/** The query string as the server parses it; what travels as JSON text is described by what the JSON says. */
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
