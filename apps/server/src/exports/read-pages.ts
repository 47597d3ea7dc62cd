import { problem } from '@portcullis/contract/errors/problem'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import type { Cells } from '../database/send-batch.ts'
import { columnToAsk, tableOf } from '../query/columns.ts'
import { orderOf } from '../query/cursor.ts'
import { listCondition, type Wanted } from '../query/list-condition.ts'
import type { ListRequest } from '../query/list-request.ts'
import { unusable } from '../errors/unusable.ts'
import type { ExportColumn } from './export-columns.ts'
import { makeNames } from './names.ts'

const rowsOfPage = 1_000
const fetchPage = raw(`fetch ${rowsOfPage} from exported`)

/** Rows of values as JSON has them, in the order of the columns. */
export type Page = readonly (readonly unknown[])[]

type Selected = Wanted & { columns: readonly ExportColumn[]; sort: ListRequest['sort'] }

/** The statement behind a file: the condition and the order of the list. */
export function selectCells({ collection, columns, sort, ...wanted }: Selected): Sql {
  const table = tableOf(collection)
  const column = columnToAsk(table, sort.prop)
  if (!column) throw unusable('sort', problem('not_sortable', { field: sort.prop }))
  const outputs = columns.map(({ output }, index) => sql`${output} as ${raw(`cell_${index}`)}`)
  return sql`select ${join(outputs)}
    from ${table.source} where ${listCondition({ collection, ...wanted })} order by ${orderOf({ table, column, sort })}`
}

type Asked = { access: Access; columns: readonly ExportColumn[]; cells: Sql }

/** Opens the file's rows; the first page has been read when this answers, so that what can't be read is told at once. */
export async function readPages(tx: Transaction, { access, columns, cells }: Asked): Promise<AsyncIterable<Page>> {
  const names = makeNames(tx, { access, columns })
  tx.send(sql`set local datestyle = 'ISO'`)
  // All rows will be read, but in the order of an index they come at once, where a sort would hold back all of them.
  tx.send(sql`set local cursor_tuple_fraction = 1`)
  tx.send(sql`set local random_page_cost = 1.1`)
  tx.send(sql`declare exported no scroll cursor for ${cells}`)
  const first = await tx.cells(fetchPage)
  return pagesFrom(first)

  /** The database reads one page ahead of what is being written. */
  async function* pagesFrom(first: Cells[]) {
    let page = first
    while (page.length > 0) {
      const following = page.length < rowsOfPage ? Promise.resolve([]) : tx.cells(fetchPage)
      // A failure is met where the page is asked for, if it still is.
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
