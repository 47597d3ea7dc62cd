import { type AbilityRule, isAllowed, type Subject } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql, { join, type Sql } from 'sql-template-tag'
import { type Column, tableOf, withTable } from '../query/columns.ts'
import { type GuardedField, guardsOf } from './guards-of.ts'

/**
 * The collection as a user with these rules may read it. Guarded values that the user may not see are null before filters,
 * sorting, search, counts and exports read them, so no answer reveals them. The same applies to log entries about items
 * that the user may not view.
 */
export function seenBy(collection: Collection, rules: readonly AbilityRule[]): Collection {
  const missing = missingSubjects(collection, rules)
  if (missing.length === 0) return collection
  const key = [collection.name, ...missing].join('/')
  const seen = cache.get(key) ?? veiled(collection, missing)
  cache.set(key, seen)
  return seen
}

const cache = new Map<string, Collection>()
const all = Object.values<Collection>(collections)

/** The subjects that the user may not view, and for which something of the collection is hidden. */
export function missingSubjects(collection: Collection, rules: readonly AbilityRule[]): Subject[] {
  const { guarded, snapshots } = guardsOf(collection)
  const inSnapshots =
    snapshots.length > 0 ? all.flatMap((each) => [each.subject, ...guardsOf(each).guarded.map(subjectOf)]) : []
  const needed = new Set([...inSnapshots, ...guarded.map(subjectOf)])
  return [...needed].filter((subject) => !isAllowed(rules, { action: 'view', subject }))
}

function subjectOf({ subject }: GuardedField) {
  return subject
}

function veiled(collection: Collection, missing: readonly Subject[]) {
  const { guarded, snapshots } = guardsOf(collection)
  const table = tableOf(collection)
  const columns = new Map(table.columns)
  const column = (field: string) => {
    const found = columns.get(field)
    if (!found) throw new Error(`${collection.name} has no field ${field}`)
    return found
  }
  for (const guard of hiddenAmong(guarded, missing)) {
    const { field, parts, where } = guard
    const seen = parts
      ? withheldInside(column(field), { ...guard, parts })
      : withheld(column(field), { other: column(where.field), guard })
    columns.set(field, seen)
  }
  for (const { field, of } of snapshots) {
    columns.set(field, withheldDocuments(column(field), { of: column(of), missing }))
  }
  return withTable(collection, { ...table, columns })
}

function hiddenAmong(guarded: readonly GuardedField[], missing: readonly Subject[]) {
  return guarded.filter(({ subject }) => missing.includes(subject))
}

function withheld(column: Column, { other, guard: { where } }: { other: Column; guard: GuardedField }): Column {
  const unless = (value: Sql) => sql`case when ${other.name} <> ${where.is} then ${value} end`
  return { ...column, name: unless(column.name), output: unless(column.output), isNullable: true }
}

/**
 * Hides whole documents of items whose collection the user may not view or that does not exist, and guarded values in the
 * others.
 */
function withheldDocuments(column: Column, { of, missing }: { of: Column; missing: readonly Subject[] }): Column {
  const viewed = all.filter(({ subject }) => !missing.includes(subject))
  const names = viewed.map(({ name }) => name)
  const only = (document: Sql) => sql`case when ${of.name} = any(${names}::text[]) then ${document} end`
  let seen: Column = { ...column, name: only(column.name), output: only(column.output), isNullable: true }
  for (const { name, entitySchema } of viewed.filter(({ readOnly }) => !readOnly)) {
    for (const guard of hiddenAmong(guardsOf({ entitySchema }).guarded, missing)) {
      const parts = [guard.field, ...exportFields]
      seen = withheldInside(seen, { ...guard, parts, when: sql`${of.name} = ${name}` })
    }
  }
  return seen
}

/** The filter of an export, which may name a guarded value. */
const exportFields = ['filter', 'search']

type Inside = { parts: readonly string[]; where: GuardedField['where']; when?: Sql }

/** A document that does not show whether the guard applies is treated as guarded. */
function withheldInside(column: Column, { parts, where: { field, is }, when = sql`true` }: Inside): Column {
  const without = (document: Sql) => {
    const holds = sql`${when} and coalesce(${document} ->> ${field}, ${is}) = ${is}`
    const has = join(
      parts.map((part) => sql`(${document} ->> ${part}) is not null`),
      ' or ',
    )
    const rest = parts.reduce(
      (left, part) => sql`jsonb_set(${left}, array[${part}], 'null', false)`,
      sql`${document}::jsonb`,
    )
    return sql`case when ${holds} and (${has}) then ${rest}::json else ${document}::json end`
  }
  return { ...column, name: without(column.name), output: without(column.output) }
}
