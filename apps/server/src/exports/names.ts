import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { type LinkMeta, tableOf } from '../query/columns.ts'
import { linkEntries } from '../query/link-entries.ts'
import { seenBy } from '../abilities/seen-by.ts'
import type { ExportColumn } from './export-columns.ts'

/** So many names are kept from page to page; then they are forgotten, for memory stays as it is. */
const mostKept = 20_000

const nameRow = z.object({ id: z.uuid(), name: z.string().nullable() })

type Asked = { access: Access; columns: readonly ExportColumn[] }

/** Puts names in the place of ids, as far as what they stand for is in sight; one look-up a page for each collection. */
export function makeNames(tx: Transaction, { access, columns }: Asked) {
  const known = new Map<string, string>([[access.account._id, access.account.name]])
  const naming = columns
    .map(({ column: { reference, link } }, index) => ({ index, reference, link }))
    .filter(({ reference, link }) => reference ?? link)
  return { nameAll }

  async function nameAll(page: unknown[][]) {
    if (known.size > mostKept) known.clear()
    for (const [target, ids] of unknownIn(page)) {
      for (const id of ids) known.set(id, shortForm(id))
      for (const { id, name } of await lookUp(target, [...ids])) known.set(id, name ?? shortForm(id))
    }
    for (const { index, link } of naming) for (const row of page) row[index] = named(row[index], link)
    return page
  }

  function unknownIn(page: unknown[][]) {
    const wanted = new Map<string, Set<string>>()
    const want = (collection: string, id: string) => {
      if (known.has(id)) return
      const ids = wanted.get(collection) ?? new Set()
      wanted.set(collection, ids.add(id))
    }
    for (const { index, reference, link } of naming) {
      for (const { [index]: value } of page) {
        if (link) for (const { collection, id } of linkEntries(link, value)) want(collection, id)
        else if (reference !== undefined && typeof value === 'string') want(reference, value)
      }
    }
    return wanted
  }

  function named(value: unknown, link: LinkMeta | undefined) {
    if (!link) return typeof value === 'string' ? nameOf(value) : value
    const entries = linkEntries(link, value)
    return link.shape === 'subjects'
      ? entries.map(({ kind, id }) => `${kind}: ${nameOf(id)}`)
      : entries.map(({ id }) => nameOf(id))
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
