import { type AbilityRule, hyperRules } from '@portcullis/contract/abilities'
import type { Me } from '@portcullis/contract/calls/authentication'
import type { Configuration } from '@portcullis/contract/calls/configuration'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { tasks } from '@portcullis/contract/collections/tasks'
import { type ErrorCode, errorStatus } from '@portcullis/contract/errors'
import { errorBody, type Holder } from '@portcullis/contract/errors/error-body'
import type { FieldCode } from '@portcullis/contract/errors/field-codes'
import { pageSize } from '@portcullis/contract/list-query'
import { idOf } from '../item/item-parts.ts'
import type { Answer } from './test-app.tsx'

const consent = policyDates('2025-06-01T00:00:00.000Z')

export const configuration: Configuration = {
  authenticationProvider: 'local',
  cognitoTenants: [],
  version: '0.0.0',
  brand: { key: 'portcullis', product: 'Portcullis' },
  contact: 'help@portcullis.example',
  recertification: { enabled: true },
  policyUpdated: policyDates('2025-01-01T00:00:00.000Z'),
  AllEventTypes: [],
  AuditEventTypes: [],
  EventTypes: [],
}

const accountId = '0198c0de-0000-7000-8000-0000000000aa'

/** A hyper user, in the account `main`, who has accepted everything. */
export const hyperUser: Me = {
  user: {
    _id: '0198c0de-0000-7000-8000-000000000001',
    name: 'Administrator',
    email: 'admin@portcullis.example',
    img: null,
    role: 'admin',
    hyper: true,
    language: null,
    idleTime: 300,
    verified: true,
    accounts: [{ ref: 'main', role: 'admin', name: 'Main account' }],
    consent,
  },
  account: {
    _id: accountId,
    ref: 'main',
    name: 'Main account',
    role: 'admin',
    defaultTimeZone: 'UTC',
    image: null,
    descendants: [],
  },
  rules: [...hyperRules],
  mfa: { enrolled: false, enabled: false, enforced: false, recoveryCodesLeft: 0 },
}

/** The same user, with only this permission in the account. */
export function userWith(rules: readonly AbilityRule[]): Me {
  return { ...hyperUser, user: { ...hyperUser.user, hyper: false }, rules: [...rules] }
}

/** The server's answers to every page of this user. */
export function signedInAs(me: Me): Answer {
  const noTasks = holding(tasks, [])
  return (request) => {
    const { method, path, query } = request
    if (path === '/config') return configuration
    if (path === '/api/users/me' && method === 'GET') return me
    if (path === '/api/auth/activity') return { endsAt: new Date(Date.now() + 360_000).toISOString() }
    if (path === '/api/savedViews' && query.has('list')) return { views: [], columns: null }
    if (path === '/api/accounts/hierarchy') {
      return [{ _id: accountId, ref: 'main', name: 'Main account', status: 'active', children: [] }]
    }
    const quiet = nothingAt.find(([pattern]) => pattern.test(path))
    return quiet ? quiet[1] : noTasks(request)
  }
}

/** Other reads of pages, which find nothing. */
const nothingAt: readonly (readonly [RegExp, unknown])[] = [
  [/^\/api\/lockdowns\/active$/, []],
  [/^\/api\/users\/[^/]+\/leftOut$/, { units: [] }],
  [/^\/api\/users\/[^/]+\/(accounts|invitations)$/, { items: [] }],
  [/^\/api\/doors\/[^/]+\/interlocks$/, { lock: 'unlocked', interlocks: [] }],
  [/^\/api\/sites\/states$/, { sites: [] }],
  [/^\/api\/doors\/unlockHours$/, { doors: [] }],
  [/^\/api\/cardFormats$/, pageOf([])],
  [/^\/api\/(rules|units)\/group\//, pageOf([])],
]

let made = 1_000

/** An item as the server returns it: complete by the collection's own schema, or the test fails here. */
export function itemOf<C extends Collection>(of: C, fields: Partial<EntityOf<C>> & { name: string }): EntityOf<C> {
  made += 1
  const schema: C['entitySchema'] = of.entitySchema
  const at = '2026-01-05T09:00:00.000Z'
  const base = { _id: idOfTest(made), account: accountId, version: 1, createdAt: at, updatedAt: at }
  return schema.parse({ ...base, ...fields })
}

/** A list that is one page. */
export function pageOf(items: readonly unknown[]) {
  const page = { size: pageSize.initial, totalElements: items.length, totalPages: 1, pageNumber: 0 }
  return { items, page, next: null }
}

/**
 * The lists and the items of a collection, page by page. The server searches, filters and sorts, so a test checks the query
 * that it received.
 */
export function holding<C extends Collection>(of: C, items: readonly EntityOf<C>[]): Answer {
  return ({ method, path, query }) => {
    if (method !== 'GET') return undefined
    if (path !== `/api/${of.name}`) return items.find((item) => path === `/api/${of.name}/${idOf(item)}`)
    const [pageNumber, size] = [Number(query.get('page')), Number(query.get('size') ?? pageSize.initial)]
    const totalPages = Math.ceil(items.length / size)
    return {
      items: items.slice(pageNumber * size, (pageNumber + 1) * size),
      page: { size, totalElements: items.length, totalPages, pageNumber },
      next: null,
    }
  }
}

type Refusal = {
  code: ErrorCode
  /** Codes by the fields that they are about. */
  fieldErrors?: Readonly<Record<string, FieldCode | 'taken'>>
  /** The current state of an item that was changed meanwhile. */
  item?: unknown
  /** The item that has the taken value. */
  holder?: Holder
}

/** An answer that is not a success, with the status of its code. */
export function refusal({ code, fieldErrors = {}, item, holder }: Refusal): Response {
  const atFields = Object.fromEntries(Object.entries(fieldErrors).map(([name, found]) => [name, { code: found }]))
  const error = { code, message: 'Refused.', fieldErrors: atFields, requestId: 'test', holder }
  return Response.json(errorBody.parse({ error, item }), { status: errorStatus[code] })
}

function idOfTest(number: number) {
  return `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`
}

function policyDates(at: string) {
  return { eula: at, privacy: at, terms: at, disclaimer: at }
}
