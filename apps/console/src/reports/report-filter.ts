import type { Filter } from '@portcullis/contract/list-query'
import { z } from 'zod'
import {
  anyTime,
  emptyValue,
  filledValue,
  filterOf,
  type FilterValues,
  type ListFilter,
  valueOf,
} from '../list/filters/filters.ts'
import { isNamedSpan, rangeValue, timeSpan } from '../list/filters/time-span.ts'

/** The filter stored with a report: events up to now, where a time range would otherwise move with the present. */
export function storedFilter(filters: readonly ListFilter[], values: FilterValues, now: Date): Filter {
  const still = Object.fromEntries(
    filters.flatMap((filter) => {
      const value = valueOf(filter, values)
      if (value === undefined) return []
      return [[filter.name, filter.kind === 'instant' ? stillSpan(value, now) : value]]
    }),
  )
  return filterOf(filters, still, now) ?? {}
}

/** The same as filters of the list of events; undefined where another program saved a filter that they cannot express. */
export function valuesOfFilter(filters: readonly ListFilter[], filter: Filter): FilterValues | undefined {
  const terms = termsOf(filter)
  if (terms === undefined) return undefined
  const values: Record<string, string> = {}
  for (const [field, condition] of terms) {
    const found = filters.find((each) => (each.field ?? each.name) === field)
    const value = found && valueOfTerm(found, condition)
    if (found === undefined || value === undefined || found.name in values) return undefined
    values[found.name] = value
  }
  for (const each of filters) {
    if (each.kind === 'instant' && each.initial !== undefined) values[each.name] ??= anyTime
  }
  return values
}

function stillSpan(value: string, now: Date) {
  if (!isNamedSpan(value)) return value
  const { from, until = now.toISOString() } = timeSpan(value, now) ?? {}
  return rangeValue({ ...(from === undefined ? {} : { from }), until })
}

const record = z.record(z.string(), z.unknown())
const list = z.array(record)

/** Fields and their conditions, which all apply together. */
function termsOf(filter: Filter): [string, unknown][] | undefined {
  const terms: [string, unknown][] = []
  for (const [key, value] of Object.entries(filter)) {
    if (key !== 'and') {
      terms.push([key, value])
      continue
    }
    const parts = list.safeParse(value).data?.map(termsOf)
    if (parts === undefined) return undefined
    for (const part of parts) {
      if (part === undefined) return undefined
      terms.push(...part)
    }
  }
  return terms
}

const oneText = z.string()
const several = z.strictObject({ in: z.array(z.string()).min(1) })
const existing = z.strictObject({ exists: z.boolean() })
const between = z.strictObject({ gte: z.iso.datetime().optional(), lt: z.iso.datetime().optional() })

const yesOrNo = new Map([
  [true, 'yes'],
  [false, 'no'],
])

function valueOfTerm(filter: ListFilter, condition: unknown): string | undefined {
  const exists = existing.safeParse(condition).data?.exists
  if (exists !== undefined) return existsValue(filter, exists)
  switch (filter.kind) {
    case 'choice':
    case 'reference':
      return oneText.safeParse(condition).data ?? several.safeParse(condition).data?.in.join(',')
    case 'yesNo':
      return typeof condition === 'boolean' ? yesOrNo.get(condition) : undefined
    case 'instant': {
      const { gte: from, lt: until } = between.safeParse(condition).data ?? {}
      if (from === undefined && until === undefined) return undefined
      return rangeValue({ ...(from ? { from } : {}), ...(until ? { until } : {}) })
    }
    case 'number':
    case 'text':
      return undefined
  }
}

function existsValue({ isNullable }: ListFilter, exists: boolean) {
  if (!isNullable) return undefined
  return exists ? filledValue : emptyValue
}
