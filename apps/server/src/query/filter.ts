import { moment } from '@portcullis/contract/fields'
import { filterLimits, operators } from '@portcullis/contract/list-query'
import { problem } from '@portcullis/contract/errors/problem'
import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isStorable } from '../input/parse-input.ts'
import { unusable } from '../errors/unusable.ts'
import { type Column, queryableColumn, type Table, type ValueKind } from './columns.ts'

type Scope = { table: Table; queryable: readonly string[] }

const record = z.record(z.string(), z.unknown())
const list = z.array(z.unknown())
const operator = z.enum(operators)

/**
 * Turns a filter of the contract's language into a condition; unknown fields and operators are a 400 that names them.
 */
export function filterCondition(filter: unknown, scope: Scope): Sql {
  return conditionOf({ filter, depth: 1, terms: { left: filterLimits.terms } }, scope)
}

type Node = { filter: unknown; depth: number; terms: { left: number } }

function conditionOf({ filter, depth, terms }: Node, scope: Scope): Sql {
  if (depth > filterLimits.depth) throw unusable('filter', problem('filter_too_deep', { maximum: filterLimits.depth }))
  const parsed = record.safeParse(filter)
  if (!parsed.success) throw unusable('filter', problem('filter_not_object'))
  const conditions: Sql[] = []
  const entries = Object.entries(parsed.data)
  // An empty object counts as a term, because a list of many costs as much as a list of comparisons.
  terms.left -= Math.max(entries.length, 1)
  if (terms.left < 0) throw unusable('filter', problem('filter_too_long', { maximum: filterLimits.terms }))
  for (const [key, value] of entries) {
    conditions.push(termOf({ key, value, depth, terms }, scope))
  }
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`
}

type Term = { key: string; value: unknown; depth: number; terms: { left: number } }

function termOf({ key, value, depth, terms }: Term, scope: Scope): Sql {
  const below = (filter: unknown) => conditionOf({ filter, depth: depth + 1, terms }, scope)
  if (key === 'and' || key === 'or') {
    const parts = list.safeParse(value)
    if (!parsed(parts)) throw unusable('filter', problem('filter_needs_list', { operator: key }))
    return combined(key, parts.data.map(below))
  }
  if (key === 'not') return sql`(${below(value)}) is not true`
  const column = scope.queryable.includes(key) ? queryableColumn(scope.table, key) : undefined
  if (!column || column.link) throw unusable('filter', problem('not_filterable', { field: key }))
  const comparisons = record.safeParse(value)
  if (!comparisons.success) return comparison({ column, op: 'eq', value })
  const entries = Object.entries(comparisons.data)
  if (entries.length === 0) throw unusable('filter', problem('no_comparison', { field: key }))
  return join(
    entries.map(([op, operand]) => comparison({ column, op, value: operand })),
    ' and ',
  )
}

function combined(operator: 'and' | 'or', parts: Sql[]): Sql {
  if (parts.length === 0) return operator === 'and' ? sql`true` : sql`false`
  return sql`(${join(parts, ` ${operator} `)})`
}

function comparison({ column, op, value }: { column: Column; op: string; value: unknown }): Sql {
  const parsed = operator.safeParse(op)
  if (!parsed.success) throw unusable('filter', problem('unknown_operator', { operator: op }))
  const { name } = column
  switch (parsed.data) {
    case 'eq':
      return value === null ? sql`${name} is null` : sql`${name} = ${operandOf(column, value)}`
    case 'ne':
      return value === null ? sql`${name} is not null` : sql`${name} is distinct from ${operandOf(column, value)}`
    case 'in':
      return sql`${name} = any(${operandsOf(column, value)})`
    case 'nin':
      return sql`(${name} = any(${operandsOf(column, value)})) is not true`
    case 'gt':
      return sql`${name} > ${operandOf(column, value)}`
    case 'gte':
      return sql`${name} >= ${operandOf(column, value)}`
    case 'lt':
      return sql`${name} < ${operandOf(column, value)}`
    case 'lte':
      return sql`${name} <= ${operandOf(column, value)}`
    case 'like':
      return likeCondition(column, value)
    case 'exists':
      if (typeof value !== 'boolean') throw unusable('filter', problem('exists_needs_boolean', { field: column.field }))
      return value ? sql`${name} is not null` : sql`${name} is null`
  }
}

function likeCondition({ field, kind, name }: Column, value: unknown) {
  if (kind !== 'text') throw unusable('filter', problem('not_searchable', { field }))
  const text = operandSchemas.text.max(200).safeParse(value)
  if (!text.success) throw unusable('filter', problem('like_needs_text', { field }))
  return sql`${name} ilike ${contains(text.data)}`
}

/** The pattern that finds a text anywhere, its own wildcards taken literally. */
export function contains(text: string) {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}

const operandSchemas = {
  text: z.string().refine(isStorable),
  integer: z.int(),
  number: z.number(),
  boolean: z.boolean(),
  instant: moment(),
  id: z.uuid(),
  json: z.never(),
} as const satisfies Record<ValueKind, z.ZodType>

/** A value of the field's kind, or a 400; also checks the value of a cursor. */
export function operandOf(column: Column, value: unknown) {
  return sql`${checkedOperand(column, value)}::${sqlTypes[column.kind]}`
}

function operandsOf(column: Column, value: unknown) {
  const values = list.safeParse(value)
  if (!values.success) throw unusable('filter', problem('in_needs_list', { field: column.field }))
  if (values.data.length > filterLimits.valuesOfIn) {
    throw unusable('filter', problem('too_many_values', { field: column.field, maximum: filterLimits.valuesOfIn }))
  }
  return sql`${values.data.map((item) => checkedOperand(column, item))}::${sqlTypes[column.kind]}[]`
}

function checkedOperand({ field, kind }: Column, value: unknown) {
  const checked = operandSchemas[kind].safeParse(value)
  if (!checked.success) throw unusable('filter', problem('wrong_operand', { field, kind }))
  return checked.data
}

/** Integers are compared as the widest type, so that every value is in range. */
const sqlTypes: Record<ValueKind, Sql> = {
  text: sql`text`,
  integer: sql`bigint`,
  number: sql`float8`,
  boolean: sql`boolean`,
  instant: sql`timestamptz`,
  id: sql`uuid`,
  json: sql`jsonb`,
}

function parsed<T>(result: { success: boolean; data?: T }): result is { success: true; data: T } {
  return result.success
}
