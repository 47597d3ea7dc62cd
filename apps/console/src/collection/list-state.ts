import { type Filter, type ListQuery, pageSize, type Sort } from '@portcullis/contract/list-query'

/** What a person asked of a list: kept in the address of the page, so that it survives a reload and can be sent to somebody. */
export type ListState = {
  search: string
  /** 0-based, as the server counts; the address counts from 1, as people do. */
  page: number
  size: number
  sort: Required<Sort> | undefined
  /** Values of the filters by their names. */
  filters: Readonly<Record<string, string>>
}

type Search = Readonly<Record<string, string | undefined>>

/** `prefix` keeps two lists on one page apart; `filterNames` are the parameters that belong to this list. */
export type ListPlace = {
  prefix: string
  filterNames: readonly string[]
  sort: Required<Sort> | undefined
  size: number
}

export const pageSizes = [20, 50, 100, 200] as const

/** Reads the state of a list from the query of an address. What makes no sense there counts as not said. */
export function readListState(search: Search, { prefix, filterNames, sort, size }: ListPlace): ListState {
  const at = (name: string) => search[`${prefix}${name}`]
  const filters: Record<string, string> = {}
  for (const name of filterNames) {
    const value = at(name)
    if (value) filters[name] = value
  }
  return {
    search: at('search')?.slice(0, 200) ?? '',
    page: Math.max(1, Math.min(wholeNumber(at('page')) ?? 1, 1_000_000)) - 1,
    size: Math.max(1, Math.min(wholeNumber(at('size')) ?? size, pageSize.most)),
    sort: readSort(at('sort')) ?? sort,
    filters,
  }
}

/** The query of an address with a changed state of the list. Whatever changes what is listed goes back to the first page. */
export function writeListState({
  search,
  place,
  changes,
}: {
  search: Search
  place: ListPlace
  changes: Partial<ListState>
}): Search {
  const { prefix, filterNames } = place
  const next: Record<string, string | undefined> = { ...search }
  const put = (name: string, value: string | undefined) => {
    next[`${prefix}${name}`] = value || undefined
  }
  if (changes.page === undefined) put('page', undefined)
  else put('page', changes.page === 0 ? undefined : String(changes.page + 1))
  if (changes.search !== undefined) put('search', changes.search)
  if (changes.size !== undefined) put('size', changes.size === place.size ? undefined : String(changes.size))
  if (changes.sort !== undefined) put('sort', `${changes.sort.dir === 'desc' ? '-' : ''}${changes.sort.prop}`)
  if (changes.filters) for (const name of filterNames) put(name, changes.filters[name])
  return next
}

/** The question to the server that a state stands for; `fixed` is a filter of the screen that nobody can take away. */
export function listQueryOf(state: ListState, filters: readonly (Filter | undefined)[]): ListQuery {
  const terms = filters.filter((filter) => filter !== undefined)
  const [only] = terms
  return {
    page: state.page,
    size: state.size,
    ...(state.search ? { search: state.search } : {}),
    ...(state.sort ? { sort: state.sort } : {}),
    ...(terms.length === 1 && only ? { filter: only } : {}),
    ...(terms.length > 1 ? { filter: { and: terms } } : {}),
  }
}

function readSort(value: string | undefined): Required<Sort> | undefined {
  const match = /^(-?)([A-Za-z_]\w{0,60})$/.exec(value ?? '')
  return match?.[2] ? { prop: match[2], dir: match[1] ? 'desc' : 'asc' } : undefined
}

function wholeNumber(value: string | undefined) {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
