import type { Collection } from '@portcullis/contract/collection'
import type { Filter } from '@portcullis/contract/list-query'
import { z } from 'zod'
import { numberRange } from './number-range.ts'
import { timeSpan } from './time-span.ts'

/** One filter of a list. The address holds its value under its name, as text. */
export type ListFilter = {
  name: string
  /** The field that it filters, where the address has another name for it. */
  field?: string
  label: string
  /** Offered only in the menu of the button "Filter", until it is set. */
  isSeldom?: boolean
  /** Whether users may filter for items without a value. */
  isNullable?: boolean
} & FilterKind

type FilterKind =
  | { kind: 'choice'; choices: readonly Choice[] }
  | { kind: 'reference'; of: Collection }
  | { kind: 'yesNo'; yes: string; no: string }
  /** `direction` says which ranges are offered; `initial` is the default range (then `all` means any time). */
  | { kind: 'instant'; direction: 'past' | 'future'; initial?: string }
  | { kind: 'number'; unit?: string }
  | { kind: 'text' }

export type Choice = {
  value: string
  label: string
  /** Its condition, where that is more than the value of a field: `active` is between two moments. */
  toFilter?: (now: Date) => Filter
}
export type FilterValues = Readonly<Record<string, string>>

/** Values for "empty" and "not empty". */
export const emptyValue = '~empty'
export const filledValue = '~set'
/** The value of a time with a default: any time. */
export const anyTime = 'all'

/** The options of a field with a few values: `choicesOf(unitStatuses, (status) => text(`state.${status}`))`. */
export function choicesOf<V extends string>(values: readonly V[], words: (value: V) => string): Choice[] {
  return values.map((value) => ({ value, label: words(value) }))
}

/** The server's filter for the current values. */
export function filterOf(filters: readonly ListFilter[], values: FilterValues, now: Date): Filter | undefined {
  const terms = filters.flatMap((filter) => {
    const value = valueOf(filter, values)
    const term = value === undefined ? undefined : termOf(filter, { value, now })
    return term && Object.keys(term).length > 0 ? [term] : []
  })
  const [only] = terms
  return terms.length > 1 ? { and: terms } : only
}

/** The value of a filter: the one in the address or, for a time, its default. */
export function valueOf(filter: ListFilter, values: FilterValues): string | undefined {
  return values[filter.name] ?? (filter.kind === 'instant' ? filter.initial : undefined)
}

/** The condition of a value for the server; undefined for an invalid value, such as an unknown option. */
export function termOf(filter: ListFilter, { value, now }: { value: string; now: Date }): Filter | undefined {
  const field = fieldOf(filter)
  if (value === emptyValue) return filter.isNullable ? { [field]: { exists: false } } : undefined
  if (value === filledValue) return filter.isNullable ? { [field]: { exists: true } } : undefined
  switch (filter.kind) {
    case 'choice':
      return (
        filterOfChoice(filter.choices, { value, now }) ??
        among(filter, { value, isValid: (each) => filter.choices.some((choice) => choice.value === each) })
      )
    case 'reference':
      return among(filter, { value, isValid: (each) => z.uuid().safeParse(each).success })
    case 'yesNo':
      return value === 'yes' || value === 'no' ? { [field]: value === 'yes' } : undefined
    case 'instant':
      return timeTerm(filter, { value, now })
    case 'number': {
      const range = numberRange(value)
      return range && bounds(field, { gte: range.from, lte: range.to })
    }
    case 'text':
      return value.trim() === '' || value.length > 200 ? undefined : { [field]: { like: value.trim() } }
  }
}

/** The values of a filter with several selected options. */
export function severalOf(value: string | undefined): string[] {
  return value === undefined || value.startsWith('~') ? [] : value.split(',').filter((each) => each !== '')
}

/** The condition of the selected options, where each has a condition of its own. */
function filterOfChoice(choices: readonly Choice[], { value, now }: { value: string; now: Date }): Filter | undefined {
  const toFilters = severalOf(value).map((each) => choices.find((choice) => choice.value === each)?.toFilter)
  const terms = toFilters.flatMap((toFilter) => (toFilter ? [toFilter(now)] : []))
  if (terms.length < toFilters.length) return undefined
  const [only, ...others] = terms
  return others.length > 0 ? { or: terms } : only
}

type Several = { value: string; isValid: (value: string) => boolean }

function among(filter: ListFilter, { value, isValid }: Several): Filter | undefined {
  const field = fieldOf(filter)
  const several = severalOf(value)
  const [only] = several
  if (only === undefined || several.length > maxValues || !several.every(isValid)) return undefined
  return several.length === 1 ? { [field]: only } : { [field]: { in: several } }
}

/** More than a user selects, and no longer than an address may be. */
const maxValues = 100

function timeTerm(filter: ListFilter & { kind: 'instant' }, { value, now }: { value: string; now: Date }) {
  if (value === anyTime) return filter.initial === undefined ? undefined : {}
  const span = timeSpan(value, now)
  return span && bounds(fieldOf(filter), { gte: span.from, lt: span.until })
}

function fieldOf({ name, field = name }: ListFilter) {
  return field
}

function bounds(field: string, comparisons: Record<string, string | number | undefined>): Filter {
  return { [field]: Object.fromEntries(Object.entries(comparisons).filter(([, bound]) => bound !== undefined)) }
}
