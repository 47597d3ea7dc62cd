import { z } from 'zod'
import { roles } from '../abilities.ts'
import { defineCall, recertify as recertifying } from '../call.ts'
import { users } from '../collections/users.ts'
import { instant } from '../fields.ts'
import { fromDigits, pageInfo, pageSize } from '../list-query.ts'

/** `overdue`: past the deadline; `soon`: past it or due within some days; `all`: every user with a deadline. */
export const dueChoices = ['overdue', 'soon', 'all'] as const
export type DueChoice = (typeof dueChoices)[number]

/** The number of days that `soon` covers. */
export const soonDays = { most: 3_650, initial: 30 } as const

export const recertifyableSorts = ['recertifyBy', 'name'] as const

const due = z.strictObject({
  due: z
    .enum(dueChoices)
    .default('all')
    .describe(
      '`overdue`: the deadline has passed; `soon`: it has passed or will within `days`; `all`: every user with one.',
    ),
  days: fromDigits(z.int().min(1).max(soonDays.most).default(soonDays.initial)).describe(
    'The days that `soon` covers.',
  ),
  search: z.string().max(200).default('').describe('Part of a name, an email or a title.'),
})

const query = due.extend({
  sort: z
    .string()
    .max(200)
    .optional()
    .describe(
      'JSON: `{"prop": "recertifyBy" | "name", "dir": "asc" | "desc"}`; the most urgent first if it is missing.',
    ),
  page: fromDigits(z.int().min(0).max(1_000_000).default(0)).describe('The page, from 0.'),
  size: fromDigits(z.int().min(1).max(pageSize.most).default(pageSize.initial)).describe(
    'The number of items on a page.',
  ),
})

export const recertifyableSort = z.strictObject({
  prop: z.enum(recertifyableSorts),
  dir: z.enum(['asc', 'desc']).default('asc'),
})
export type RecertifyableSort = z.output<typeof recertifyableSort>

/** The query of a list of users to recertify, with the sort order as an object. */
export type RecertifyableQuery = {
  due?: DueChoice
  days?: number
  search?: string
  sort?: RecertifyableSort
  page?: number
  size?: number
}

const person = z.object({
  _id: z.uuid(),
  account: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  img: z.string().nullable(),
  title: z.string().nullable(),
  role: z.enum(roles),
  groups: z.array(z.object({ _id: z.uuid(), name: z.string() })),
  validUntil: instant().nullable(),
  lastRecertifiedAt: instant().nullable(),
  /** From the nearest account that sets it, this one or one above. */
  recertifyEveryDays: z.int(),
  /** From this time on, their credentials open no door. Null if they were never recertified and are due already. */
  recertifyBy: instant().nullable(),
  isOverdue: z.boolean(),
})
export type Recertifyable = z.output<typeof person>

const abilities = [recertifying('Users')] as const

export const recertifyable = defineCall({
  id: 'recertifyable-users',
  method: 'GET',
  path: '/api/users/recertifyable',
  tag: 'users',
  summary: 'List the users whose access needs regular confirmation',
  description:
    'Those of accounts that enforce recertification (`recertifyEveryDays`, set there or above), except users who are suspended or no longer valid.',
  access: 'account',
  abilities,
  query,
  output: z.object({ items: z.array(person), page: pageInfo }),
  returns: 'A page of users.',
})
export type RecertifyableList = z.output<typeof recertifyable.output>

export const countRecertifyable = defineCall({
  id: 'count-recertifyable-users',
  method: 'GET',
  path: '/api/users/recertifyable/count',
  tag: 'users',
  summary: 'Count the users whose access needs regular confirmation',
  access: 'account',
  abilities,
  query: due,
  output: z.object({ count: z.int(), exact: z.boolean() }),
  returns: 'The count, which is a lower bound if `exact` is false.',
})

export const recertifyDecisions = ['keep', 'suspend'] as const
export type RecertifyDecision = (typeof recertifyDecisions)[number]

export const recertify = defineCall({
  id: 'recertify-user',
  method: 'PATCH',
  path: '/api/users/recertify/{id}',
  tag: 'users',
  summary: 'Confirm that a user still needs access, or suspend the user',
  description:
    "`keep`, also the decision of a request without a body, starts a new period, and controllers get the new deadline. `suspend` also needs the right to manage Users and the user's role. The decision concerns the user's membership in the account of X-JS-ACCOUNT. Users cannot decide about themselves (422).",
  access: 'account',
  abilities,
  params: { id: 'The _id of the user.' },
  input: z.strictObject({ decision: z.enum(recertifyDecisions).default('keep') }).prefault({}),
  output: users.entitySchema,
  isRecorded: true,
  returns: 'The user.',
  errors: ['not_found', 'own_access'],
})
