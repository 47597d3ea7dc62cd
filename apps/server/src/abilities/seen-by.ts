import { type AbilityRule, isAllowed, type Subject } from '@portcullis/contract/abilities'
import type { Collection, GuardedField } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql, { type Sql } from 'sql-template-tag'
import { type Column, tableOf, withTable } from '../query/columns.ts'

type Hidden = GuardedField & { collection: string }

/**
 * The collection as somebody with these rules may read it: guarded values that are not theirs to see are null already
 * where they are filtered, sorted, searched, counted and exported, so that nothing can be guessed from an answer.
 */
export function seenBy(collection: Collection, rules: readonly AbilityRule[]): Collection {
  const hidden = hiddenFrom(collection, rules)
  if (hidden.length === 0) return collection
  const key = [collection.name, ...hidden.map(({ collection: owner, field }) => `${owner}.${field}`)].join('/')
  const seen = known.get(key) ?? veiled(collection, hidden)
  known.set(key, seen)
  return seen
}

const known = new Map<string, Collection>()

/** The subjects for lack of which something of the collection is hidden. */
export function missingSubjects(collection: Collection, rules: readonly AbilityRule[]): Subject[] {
  return [...new Set(hiddenFrom(collection, rules).map(({ subject }) => subject))]
}

function hiddenFrom({ name, guarded, snapshots }: Collection, rules: readonly AbilityRule[]): Hidden[] {
  const holders = snapshots ? Object.values<Collection>(collections) : [{ name, guarded }]
  const fields = holders.flatMap((holder) => holder.guarded.map((field) => ({ ...field, collection: holder.name })))
  return fields.filter(({ subject }) => !isAllowed(rules, { action: 'view', subject }))
}

function veiled(collection: Collection, hidden: readonly Hidden[]) {
  const table = tableOf(collection)
  const columns = new Map(table.columns)
  const column = (field: string) => {
    const found = columns.get(field)
    if (!found) throw new Error(`${collection.name} has no field ${field}`)
    return found
  }
  for (const guard of hidden) {
    const { snapshots } = collection
    if (!snapshots) {
      columns.set(guard.field, withheld(column(guard.field), { other: column(guard.where.field), guard }))
      continue
    }
    for (const field of snapshots.fields) {
      columns.set(field, withheldInside(column(field), { of: column(snapshots.of), guard }))
    }
  }
  return withTable(collection, { ...table, columns })
}

function withheld(column: Column, { other, guard }: { other: Column; guard: Hidden }): Column {
  const unless = (value: Sql) => sql`case when ${other.name} <> ${guard.where.is} then ${value} end`
  return { ...column, name: unless(column.name), output: unless(column.output), isNullable: true }
}

/** A document that does not say whether the guard holds is taken as one where it does. */
function withheldInside(column: Column, { of, guard }: { of: Column; guard: Hidden }): Column {
  const { field, where, collection } = guard
  const without = (document: Sql) => sql`case
    when ${of.name} = ${collection} and jsonb_exists(${document}, ${field})
         and coalesce(${document} ->> ${where.field}, ${where.is}) = ${where.is}
    then jsonb_set(${document}, array[${field}], 'null') else ${document} end`
  return { ...column, name: without(column.name), output: without(column.output) }
}
