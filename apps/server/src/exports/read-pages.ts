import { problem } from '@portcullis/contract/errors/problem'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import type { Cells } from '../database/send-batch.ts'
import { queryableColumn, type LinkMeta, tableOf } from '../query/columns.ts'
import { orderOf } from '../query/cursor.ts'
import { listCondition, type ListConditionInput } from '../query/list-condition.ts'
import type { ListRequest } from '../query/list-request.ts'
import { unusable } from '../errors/unusable.ts'
import type { ExportColumn } from './export-columns.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { linkEntries } from '../query/link-entries.ts'
import { seenBy } from '../abilities/seen-by.ts'

const rowsOfPage = 1_000
const fetchPage = raw(`fetch ${rowsOfPage} from exported`)

/** The names cached across pages; above this number the cache is cleared, to bound the memory. */
const maxCachedNames = 20_000

const nameRow = z.object({ id: z.uuid(), name: z.string().nullable() })

/** Rows of JSON values, in the order of the columns. */
export type Page = readonly (readonly unknown[])[]

type SelectCellsInput = ListConditionInput & { columns: readonly ExportColumn[]; sort: ListRequest['sort'] }

/** The query of an export, with the condition and the order of the list. */
export function selectCells({ collection, columns, sort, ...query }: SelectCellsInput): Sql {
  const table = tableOf(collection)
  const column = queryableColumn(table, sort.prop)
  if (!column) throw unusable('sort', problem('not_sortable', { field: sort.prop }))
  const outputs = columns.map(({ output }, index) => sql`${output} as ${raw(`cell_${index}`)}`)
  return sql`select ${join(outputs)}
    from ${table.source} where ${listCondition({ collection, ...query })} order by ${orderOf({ table, column, sort })}`
}

type ReadPagesInput = { access: Access; columns: readonly ExportColumn[]; cells: Sql }

/** Opens the cursor and reads the first page, so that a failure is reported before the file begins. */
export async function readPages(
  tx: Transaction,
  { access, columns, cells }: ReadPagesInput,
): Promise<AsyncIterable<Page>> {
  const names = makeNames(tx, { access, columns })
  tx.send(sql`set local datestyle = 'ISO'`)
  // All rows are read, but an index returns them at once, while a sort delays the first.
  tx.send(sql`set local cursor_tuple_fraction = 1`)
  tx.send(sql`set local random_page_cost = 1.1`)
  tx.send(sql`declare exported no scroll cursor for ${cells}`)
  const first = await tx.cells(fetchPage)
  return pagesFrom(first)

  /** The database reads one page ahead of the page being written. */
  async function* pagesFrom(first: Cells[]) {
    let page = first
    while (page.length > 0) {
      const following = page.length < rowsOfPage ? Promise.resolve([]) : tx.cells(fetchPage)
      // A failure is thrown where the page is awaited, if it is.
      following.catch(() => {})
      yield await names.nameAll(page.map((row) => valuesIn(row)))
      page = await following
    }
  }

  function valuesIn(row: Cells) {
    return columns.map(({ read }, index) => {
      const text = row[index] ?? null
      return text === null ? null : read(text)
    })
  }
}

type NamesInput = { access: Access; columns: readonly ExportColumn[] }

/** Replaces ids with names if their items are in scope, with one look-up per page and collection. */
function makeNames(tx: Transaction, { access, columns }: NamesInput) {
  const cachedNames = new Map<string, string>([[access.account._id, access.account.name]])
  const naming = columns
    .map(({ column: { reference, link } }, index) => ({ index, reference, link }))
    .filter(({ reference, link }) => reference ?? link)
  return { nameAll }

  async function nameAll(page: unknown[][]) {
    if (cachedNames.size > maxCachedNames) cachedNames.clear()
    for (const [target, ids] of unknownIn(page)) {
      for (const id of ids) cachedNames.set(id, shortForm(id))
      for (const { id, name } of await lookUp(target, [...ids])) cachedNames.set(id, name ?? shortForm(id))
    }
    for (const { index, link } of naming) for (const row of page) row[index] = named(row[index], link)
    return page
  }

  function unknownIn(page: unknown[][]) {
    const missing = new Map<string, Set<string>>()
    const addMissing = (collection: string, id: string) => {
      if (cachedNames.has(id)) return
      const ids = missing.get(collection) ?? new Set()
      missing.set(collection, ids.add(id))
    }
    for (const { index, reference, link } of naming) {
      for (const { [index]: value } of page) {
        if (link) for (const { collection, id } of linkEntries(link, value)) addMissing(collection, id)
        else if (reference !== undefined && typeof value === 'string') addMissing(reference, value)
      }
    }
    return missing
  }

  function named(value: unknown, link: LinkMeta | undefined) {
    if (!link) return typeof value === 'string' ? nameOf(value) : value
    const entries = linkEntries(link, value)
    return link.shape === 'subjects'
      ? entries.map(({ kind, id }) => `${kind}: ${nameOf(id)}`)
      : entries.map(({ id }) => nameOf(id))
  }

  function nameOf(id: string) {
    return cachedNames.get(id) ?? shortForm(id)
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

/** Shown for an item that is deleted or out of scope: enough to distinguish two of them. */
function shortForm(id: string) {
  return id.slice(-8)
}
