import { text } from '../../text/text.ts'
import type { ListFilter } from './filters.ts'

/** The labels of parameters of an address. */
export function droppedNames(parameters: readonly string[], filters: readonly ListFilter[]): string[] {
  return parameters.map(
    (parameter) => filters.find(({ name }) => name === parameter)?.label ?? own[parameter] ?? parameter,
  )
}

const own: Readonly<Record<string, string>> = {
  search: text('list.search'),
  page: text('list.pageNumber'),
  size: text('list.size'),
  sort: text('list.sortBy'),
  columns: text('list.columns'),
}
