import type { Sort } from '@portcullis/contract/list-query'
import { text } from '../../text/text.ts'

type Column = { key: string; label: string; sort?: string }
type Asked = { columns: readonly Column[]; shown: readonly Column[]; sort: Required<Sort> | undefined }

/** What a list is sorted by, in words, where none of its shown columns says so. */
export function hiddenOrder({ columns, shown, sort }: Asked): string | undefined {
  const sorting = columns.find((column) => column.sort !== undefined && column.sort === sort?.prop)
  if (sorting === undefined || shown.some(({ key }) => key === sorting.key)) return undefined
  return text(sort?.dir === 'asc' ? 'list.ascending' : 'list.descending', { name: sorting.label })
}
