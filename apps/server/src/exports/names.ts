import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { belongsTo } from '../collections/belongs-to.ts'
import { tableOf } from '../collections/columns.ts'
import { linkEntries } from '../collections/links.ts'
import { seenBy } from '../collections/seen-by.ts'
import type { ExportColumn } from './export-columns.ts'
import type { Page } from './read-pages.ts'

/** So many names are kept from page to page; then they are forgotten, for memory stays as it is. */
const mostKept = 20_000

const nameRow = z.object({ id: z.uuid(), name: z.string().nullable() })

export type Names = ReturnType<typeof makeNames>

/** Names of what items refer to, as far as they are in sight; one look-up a page for each collection referred to. */
export function makeNames(tx: Transaction, access: Access) {
  const known = new Map<string, string>([[access.account._id, access.account.name]])
  return { learn, nameOf }

  async function learn(wanted: ReadonlyMap<string, ReadonlySet<string>>) {
    if (known.size > mostKept) known.clear()
    for (const [target, ids] of wanted) {
      const unknown = [...ids].filter((id) => !known.has(id))
      if (unknown.length === 0) continue
      for (const id of unknown) known.set(id, shortForm(id))
      for (const { id, name } of await lookUp(target, unknown)) known.set(id, name ?? shortForm(id))
    }
  }

  function nameOf(id: string) {
    return known.get(id) ?? shortForm(id)
  }

  async function lookUp(target: string, ids: string[]) {
    const collection = Object.values<Collection>(collections).find(({ name }) => name === target)
    const table = collection && tableOf(seenBy(collection, access.rules))
    const name = table?.columns.get('name') ?? table?.columns.get(collection?.searchable[0] ?? '')
    if (!collection || !table || !name) return []
    if (!isAllowed(access.rules, { action: 'view', subject: collection.subject })) return []
    return tx.rows(
      nameRow,
      sql`select ${table.id} as id, ${name.name} as name from ${table.name}
           where ${table.id} = any(${ids}::uuid[]) and ${belongsTo(table, access.reads)}`,
    )
  }
}

/** What remains of an item that is gone or out of sight: enough to tell two apart. */
function shortForm(id: string) {
  return id.slice(-8)
}

/** The ids that the rows of a page refer to, by the collection that holds them. */
export function idsIn(columns: readonly ExportColumn[], page: Page) {
  const wanted = new Map<string, Set<string>>()
  for (const [index, { column }] of columns.entries()) {
    if (!column.reference && !column.link) continue
    for (const values of page) {
      for (const { collection, id } of referredTo(column, values[index])) {
        const ids = wanted.get(collection) ?? new Set()
        wanted.set(collection, ids.add(id))
      }
    }
  }
  return wanted
}

function referredTo({ reference, link }: ExportColumn['column'], value: unknown) {
  if (link) return linkEntries(link, value)
  return reference !== undefined && typeof value === 'string' ? [{ collection: reference, id: value }] : []
}

/** A value with names in the place of ids. */
export function named(of: ExportColumn | undefined, { value, names }: { value: unknown; names: Names }) {
  if (!of) return value
  const { reference, link } = of.column
  if (link?.shape === 'subjects') {
    return linkEntries(link, value).map(({ kind, id }) => `${kind}: ${names.nameOf(id)}`)
  }
  if (link) return linkEntries(link, value).map(({ id }) => names.nameOf(id))
  return reference !== undefined && typeof value === 'string' ? names.nameOf(value) : value
}
