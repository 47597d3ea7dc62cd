import { z } from 'zod'
import { aggregateBy, aggregated } from '../aggregate-query.ts'
import { type Call, schemaNames } from '../call.ts'
import { calls } from '../calls/registry.ts'
import type { Collection } from '../collection.ts'
import { collections } from '../collections/registry.ts'
import { counted } from '../count-query.ts'
import { errorStatus } from '../errors.ts'
import { errorBody } from '../errors/error-body.ts'
import { exportRequest } from '../export-request.ts'
import { type FieldMeta, fieldMeta } from '../fields.ts'
import { operators, pageInfo, pageOf, sort } from '../list-query.ts'
import { type Json, type JsonSchema, ref } from './operation.ts'

/** Bodies and query parameters: a field with a default is optional. */
const inputs: Record<string, z.core.$ZodType> = {
  ...namedSchemas(({ input }) => input),
  AggregateBy: aggregateBy,
  ExportRequest: exportRequest,
  Sort: sort,
}

/** Answers: every field is present. */
const outputs: Record<string, z.core.$ZodType> = {
  ...namedSchemas(({ output }) => output),
  Aggregated: aggregated,
  Counted: counted,
  PageInfo: pageInfo,
}

/** The schemas of calls that have a name, by that name. */
function namedSchemas(schemaIn: (call: Call) => z.ZodType | undefined) {
  const found = calls.flatMap((call) => {
    const schema = schemaIn(call)
    return schema instanceof z.ZodArray ? [schema, schema.element] : [schema]
  })
  return Object.fromEntries(
    found.flatMap((schema) => {
      const name = schema && schemaNames.get(schema)?.id
      return name === undefined ? [] : [[name, schema] as const]
    }),
  )
}

/** Every named schema of the document, made from the schemas that the server parses with. */
export function componentSchemas(): Record<string, Json> {
  const all = Object.values<Collection>(collections)
  const entities = Object.fromEntries(all.map((collection) => [entityName(collection), collection.entitySchema]))
  const pages = Object.fromEntries(
    all.map((collection) => [`${entityName(collection)}Page`, pageOf(collection.entitySchema)]),
  )
  const written = all.filter(({ readOnly }) => !readOnly)
  const creates = Object.fromEntries(written.map((each) => [`${entityName(each)}Create`, each.createSchema]))
  const patches = Object.fromEntries(written.map((each) => [`${entityName(each)}Patch`, each.patchSchema]))
  return {
    ...jsonSchemas({ ...outputs, ...entities, ...pages }, 'output'),
    ...jsonSchemas({ ...inputs, ...creates }, 'input'),
    ...withoutDefaults(jsonSchemas(patches, 'input')),
    Filter: filterSchema(),
    Error: errorSchema(),
  }
}

/** The schema name of a collection's items in the document: `DoorGroup`. */
export function entityName({ entity }: Collection) {
  return `${entity.charAt(0).toUpperCase()}${entity.slice(1)}`
}

/** A reference to a schema that has a name, or to the entity of a collection; any other schema in full. */
export function schemaOf(schema: z.core.$ZodType): JsonSchema {
  const entity = Object.values<Collection>(collections).find(({ entitySchema }) => entitySchema === schema)
  const name = entity ? entityName(entity) : schemaNames.get(schema)?.id
  if (name !== undefined) return ref(name)
  if (schema instanceof z.ZodArray) return { type: 'array', items: schemaOf(schema.element) }
  return inlineSchema(schema)
}

/** A schema in full. */
export function inlineSchema(schema: z.core.$ZodType): JsonSchema {
  return jsonSchemas({ inline: schema }, 'input')['inline'] ?? {}
}

type Schemas = Record<string, JsonSchema>
const plainJson: z.ZodType<JsonSchema> = z.record(z.string(), z.json())

function jsonSchemas(schemas: Record<string, z.core.$ZodType>, io: 'input' | 'output'): Schemas {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // The format already implies the pattern, and these bounds are those of JavaScript numbers, not ours.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      const meta = fieldMeta.get(zodSchema)
      if (meta) Object.assign(jsonSchema, descriptionFor(meta))
    },
  })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $id: _id, $schema: _schema, ...schema }]) => [
      name,
      plainJson.parse(JSON.parse(JSON.stringify(schema))),
    ]),
  )
}

function descriptionFor(meta: FieldMeta) {
  if (meta.kind === 'instant') return {}
  if (meta.kind === 'reference') return { description: `The _id of an item of ${meta.of}.` }
  const names = meta.of.map(({ collection }) => collection).join(', ')
  return { description: `Items of ${names}.` }
}

/** A patch does not change the fields that it omits, so its fields have no default. */
function withoutDefaults(patches: Schemas): Schemas {
  const properties = z.record(z.string(), z.record(z.string(), z.json()))
  return Object.fromEntries(
    Object.entries(patches).map(([name, schema]) => {
      const fields = Object.entries(properties.parse(schema['properties'] ?? {}))
      const plain = fields.map(([field, { default: _initial, ...rest }]): [string, Json] => [field, rest])
      return [name, { ...schema, properties: Object.fromEntries(plain) }]
    }),
  )
}

/** The schema of filters; it allows any field name, because the fields depend on the collection. */
function filterSchema(): JsonSchema {
  const comparisons = Object.fromEntries(operators.map((operator) => [operator, {}]))
  const several = { type: 'array', items: ref('Filter') }
  return {
    type: 'object',
    description: 'Conditions on fields, all of which must hold; `and`, `or` and `not` hold further filters.',
    properties: { and: several, or: several, not: ref('Filter') },
    additionalProperties: {
      anyOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'object', properties: comparisons, additionalProperties: false },
      ],
    },
    examples: [{ name: { like: 'north' }, or: [{ enabled: true }, { unit: { exists: false } }] }],
  }
}

function errorSchema(): JsonSchema {
  const code = { enum: Object.keys(errorStatus) }
  const body = jsonSchemas({ Error: errorBody }, 'output')['Error'] ?? {}
  return { ...body, allOf: [{ properties: { error: { properties: { code } } } }] }
}
