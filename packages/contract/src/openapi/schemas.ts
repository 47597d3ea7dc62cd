import { z } from 'zod'
import { aggregateBy, aggregated } from '../aggregate-query.ts'
import { asOf, undone } from '../calls/audit-logs.ts'
import { accountNode, activity, confirmIdentity, login, me } from '../calls/authentication.ts'
import { configuration } from '../calls/configuration.ts'
import { decideAccess, doorAccess, userAccess } from '../calls/explorer.ts'
import { outboxMail } from '../calls/outbox.ts'
import { mfaEnrol, mfaSetUp, mfaSignIn, recoveryCodes } from '../calls/mfa.ts'
import {
  changeEmail,
  changePassword,
  endOtherSessions,
  ownSessions,
  ownSignIns,
  patchMe,
  pendingEmail,
  verified,
} from '../calls/own-account.ts'
import { resetPassword } from '../calls/password-reset.ts'
import { createSavedView, patchSavedView, rememberColumns, savedView, savedViews } from '../calls/saved-views.ts'
import { doorCommand, unitEnrolment } from '../calls/units.ts'
import type { Collection } from '../collection.ts'
import { collections } from '../collections/registry.ts'
import { counted } from '../count-query.ts'
import { errorBody, errorStatus } from '../errors.ts'
import { exportRequest } from '../export-request.ts'
import { type FieldMeta, fieldMeta } from '../fields.ts'
import { operators, pageInfo, pageOf, sort } from '../list-query.ts'
import { type Json, type JsonSchema, ref } from './operation.ts'

/** What the server takes: what has an initial value may be left out. */
const inputs: Record<string, z.ZodType> = {
  AccessExport: doorAccess.export,
  AccessQuestion: decideAccess.input,
  AggregateBy: aggregateBy,
  ChangeEmail: changeEmail.input,
  ChangePassword: changePassword.input,
  ConfirmIdentity: confirmIdentity.input,
  ExportRequest: exportRequest,
  Login: login.input,
  MfaEnrol: mfaEnrol.input,
  MfaSignIn: mfaSignIn.input,
  PatchMe: patchMe.input,
  RememberColumns: rememberColumns,
  ResetPassword: resetPassword.input,
  SavedViewCreate: createSavedView,
  SavedViewPatch: patchSavedView,
  Sort: sort,
}

/** What the server answers: everything is there. */
const outputs: Record<string, z.ZodType> = {
  AccessDecision: decideAccess.output,
  AccountNode: accountNode,
  Activity: activity.output,
  Aggregated: aggregated,
  AsOf: asOf.output,
  Configuration: configuration,
  Counted: counted,
  DoorAccess: doorAccess.output,
  DoorCommand: doorCommand,
  EndOtherSessions: endOtherSessions.output,
  LoggedIn: login.output,
  Me: me,
  MfaSetUp: mfaSetUp.output,
  OutboxMail: outboxMail,
  OwnSessions: ownSessions.output,
  OwnSignIns: ownSignIns.output,
  PageInfo: pageInfo,
  PendingEmail: pendingEmail.output,
  RecoveryCodes: recoveryCodes.output,
  SavedView: savedView,
  SavedViews: savedViews.output,
  Undone: undone,
  UnitEnrolment: unitEnrolment,
  Verified: verified.output,
  UserAccess: userAccess.output,
}

/** Every schema that the document names, made from those that the server itself parses by. */
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

/** The name under which the items of a collection stand in the document: `DoorGroup`. */
export function entityName({ entity }: Collection) {
  return `${entity.charAt(0).toUpperCase()}${entity.slice(1)}`
}

/** A single schema, where it stands. */
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
      // The format says it in one word; the bound is that of numbers in JavaScript, not one of ours.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      const meta = fieldMeta.get(zodSchema)
      if (meta) Object.assign(jsonSchema, wordsFor(meta))
    },
  })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $id: _id, $schema: _schema, ...schema }]) => [
      name,
      plainJson.parse(JSON.parse(JSON.stringify(schema))),
    ]),
  )
}

function wordsFor(meta: FieldMeta) {
  if (meta.kind === 'instant') return {}
  if (meta.kind === 'reference') return { description: `The _id of an item of ${meta.of}.` }
  const names = meta.of.map(({ collection }) => collection).join(', ')
  return { description: `Items of ${names}.` }
}

/** A patch leaves alone what it does not name, so nothing in it has an initial value. */
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

/** The filter language says more than a schema can: which fields there are is each collection's. */
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
