import { z } from 'zod'
import { roles } from '../abilities.ts'
import { users } from '../collections/users.ts'
import { instant } from '../fields.ts'
import { fromDigits, pageInfo, pageSize } from '../list-query.ts'

/** `overdue`: the deadline has passed; `soon`: it has, or does within some days; `all`: whoever has one. */
export const dueChoices = ['overdue', 'soon', 'all'] as const
export type DueChoice = (typeof dueChoices)[number]

/** Within how many days is soon. */
export const soonDays = { most: 3_650, initial: 30 } as const

export const recertifyableSorts = ['recertifyBy', 'name'] as const

const whose = z.strictObject({
  due: z.enum(dueChoices).default('all'),
  /** What `soon` means. */
  days: fromDigits(z.int().min(1).max(soonDays.most).default(soonDays.initial)),
  /** Part of a name, an e-mail or a title. */
  search: z.string().max(200).default(''),
})

const query = whose.extend({
  /** JSON text: `{prop, dir}`. */
  sort: z.string().max(200).optional(),
  page: fromDigits(z.int().min(0).max(1_000_000).default(0)),
  size: fromDigits(z.int().min(1).max(pageSize.most).default(pageSize.initial)),
})

export const recertifyableSort = z.strictObject({
  prop: z.enum(recertifyableSorts),
  dir: z.enum(['asc', 'desc']).default('asc'),
})
export type RecertifyableSort = z.output<typeof recertifyableSort>

/** What a list of those to recertify may be asked. */
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
  /** Of the nearest account, this one or one above, that says so. */
  recertifyEveryDays: z.int(),
  /** From then on their credentials open nothing; null: never recertified, and due from the beginning. */
  recertifyBy: instant().nullable(),
  isOverdue: z.boolean(),
})
export type Recertifyable = z.output<typeof person>

/**
 * `GET /api/users/recertifyable`: the people whose access somebody has to confirm from time to time, because their account or
 * one above it asks for it; whoever is suspended or no longer valid has none to confirm.
 */
export const recertifyable = { query, output: z.object({ items: z.array(person), page: pageInfo }) }
export type RecertifyableList = z.output<typeof recertifyable.output>

/** `GET /api/users/recertifyable/count` */
export const countRecertifyable = { query: whose, output: z.object({ count: z.int(), exact: z.boolean() }) }

export const recertifyDecisions = ['keep', 'suspend'] as const
export type RecertifyDecision = (typeof recertifyDecisions)[number]

/** `PATCH /api/users/recertify/{id}`: the person keeps their access for another period, or is suspended. Answers the person. */
export const recertify = {
  input: z.strictObject({ decision: z.enum(recertifyDecisions).default('keep') }),
  output: users.entitySchema,
}
