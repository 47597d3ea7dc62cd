import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { FieldCode } from './field-codes.ts'

/** A number of items of a collection, for a sentence; `collection` is null if the user may not see them. */
export const itemCount = z.object({
  collection: z.string().nullable(),
  /** Null if they were not counted. */
  count: z.int().nullable(),
  /** Whether there are more than `count`. */
  isMore: z.boolean().default(false),
})
export type ItemCount = z.output<typeof itemCount>

const parameter = z.union([z.string(), z.number(), z.array(z.string()), z.array(itemCount)])

/** The values in an error's sentence, as they are sent. */
export const parameters = z.record(z.string(), parameter)
export type Parameters = z.output<typeof parameters>

/** `digits`: a text of digits for numbers that JavaScript would round. */
type Kinds = {
  text: string
  number: number
  digits: number | string
  texts: readonly string[]
  counts: readonly ItemCount[]
}
type Kind = keyof Kinds
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>

/** The parameters of each error code; codes that are missing here have none. */
export const errorParameters = {
  header_missing: { header: 'text' },
  header_invalid: { header: 'text' },
  forbidden: { action: 'text', subject: 'text', account: 'text' },
  not_found: { collection: 'text?' },
  no_group_lookup: { collection: 'text' },
  /** `holder` only for users who may see the holder. */
  taken: { field: 'text', holder: 'text?' },
  already_member: { account: 'text' },
  changed_since: { fields: 'texts' },
  request_decided: { status: 'text' },
  /** Keys of `passwordAdvice`. */
  weak_password: { advice: 'texts' },
  account_not_empty: { items: 'counts' },
  used_by_others: { items: 'counts' },
  door_in_lockdown: { lockdowns: 'texts' },
  units_share_interlock: { interlock: 'text' },
  site_shares_unit: { unit: 'text' },
  move_too_large: { maximum: 'number' },
  too_many_views: { most: 'number' },
  not_undoable: { collection: 'text' },
  not_restorable: { fields: 'texts' },
  no_longer_valid: { fields: 'texts' },
} as const satisfies Partial<Record<ErrorCode, Shape>>

/** The same for field codes. */
export const fieldParameters = {
  wrong_type: { expected: 'text' },
  too_short: { minimum: 'number' },
  too_long: { maximum: 'number' },
  too_few: { minimum: 'number' },
  too_many_entries: { maximum: 'number' },
  below_minimum: { minimum: 'number' },
  above_maximum: { maximum: 'digits' },
  number_differs: { number: 'text' },
  not_one_of: { options: 'texts' },
  year_out_of_range: { first: 'number', last: 'number' },
  yearly_too_long: { maximum: 'number' },
  too_far_away: { years: 'number' },
  hold_too_long: { hours: 'number' },
  not_in_sight: { collection: 'text' },
  no_longer_there: { names: 'texts' },
  nested_too_deep: { maximum: 'number' },
  repeated_name: { name: 'text' },
  not_sortable: { field: 'text' },
  unknown_column: { field: 'text', collection: 'text' },
  not_filterable: { field: 'text' },
  filter_too_deep: { maximum: 'number' },
  filter_too_long: { maximum: 'number' },
  filter_needs_list: { operator: 'text' },
  no_comparison: { field: 'text' },
  unknown_operator: { operator: 'text' },
  exists_needs_boolean: { field: 'text' },
  not_searchable: { field: 'text' },
  like_needs_text: { field: 'text' },
  in_needs_list: { field: 'text' },
  too_many_values: { field: 'text', maximum: 'number' },
  wrong_operand: { field: 'text', kind: 'text' },
  too_many_rows: { maximum: 'number' },
  not_countable: { field: 'text' },
  no_buckets: { field: 'text', bucket: 'text' },
} as const satisfies Partial<Record<FieldCode, Shape>>

type ShapeOf<C> = C extends keyof typeof errorParameters
  ? (typeof errorParameters)[C]
  : C extends keyof typeof fieldParameters
    ? (typeof fieldParameters)[C]
    : Record<never, never>

type Optional<S> = { [K in keyof S]: S[K] extends `${Kind}?` ? K : never }[keyof S]
type KindOf<V> = V extends `${infer K extends Kind}?` ? K : V extends Kind ? V : never

/** The parameters of one code. */
export type ParametersOf<C> = {
  readonly [K in Exclude<keyof ShapeOf<C>, Optional<ShapeOf<C>>>]: Kinds[KindOf<ShapeOf<C>[K]>]
} & { readonly [K in Optional<ShapeOf<C>>]?: Kinds[KindOf<ShapeOf<C>[K]>] | undefined }
