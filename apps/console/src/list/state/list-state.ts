import { type Filter, type ListQuery, pageSize, type Sort } from '@portcullis/contract/list-query'
import { type FilterValues, type ListFilter, termOf } from '../filters/filters.ts'

/** What a person asked of a list: kept in the address of the page, so that it survives a reload and can be sent to somebody. */
export type ListState = {
  search: string
  /** 0-based, as the server counts; the address counts from 1, as people do. */
  page: number
  size: number
  sort: Required<Sort> | undefined
  /** Values of the filters by their names. */
  filters: FilterValues
  /** Keys of the columns that are shown, in their order; nothing where the address does not say. */
  columns: readonly string[] | undefined
  /** Parameters of the address that make no sense here; the list is shown as if they were not there. */
  dropped: readonly string[]
}

/** What a person changes; `columns: null` goes back to those of the list itself. */
export type ListChanges = Partial<Omit<ListState, 'columns' | 'dropped'>> & { columns?: readonly string[] | null }

export type Search = Readonly<Record<string, string | undefined>>

/** What may stand in the address about a list; `prefix` keeps two lists on one page apart. */
export type ListPlace = {
  prefix: string
  filters: readonly ListFilter[]
  /** Fields that the server sorts by. */
  sortable: readonly string[]
  columnKeys: readonly string[]
  sort: Required<Sort> | undefined
  size: number
}

export const pageSizes = [20, 50, 100, 200, 500] as const

const names = { search: 'search', page: 'page', size: 'size', sort: 'sort', columns: 'columns' } as const

/** Reads the state of a list from the query of an address. What makes no sense there counts as not said. */
export function readListState(search: Search, place: ListPlace): ListState {
  const dropped: string[] = []
  const { prefix, sort, size } = place

  /** What a parameter says, if it says something that can be read. */
  function read<T>(name: string, parse: (text: string) => T | undefined): T | undefined {
    const text = search[`${prefix}${name}`]
    if (!text) return undefined
    const value = parse(text)
    if (value === undefined) dropped.push(name)
    return value
  }

  const now = new Date()
  const filters: Record<string, string> = {}
  for (const filter of place.filters) {
    const value = read(filter.name, (text) => (termOf(filter, { value: text, now }) ? text : undefined))
    if (value) filters[filter.name] = value
  }
  return {
    search: read(names.search, (text) => text.slice(0, 200)) ?? '',
    page: Math.min(read(names.page, counting) ?? 1, 1_000_000) - 1,
    size: Math.min(read(names.size, counting) ?? size, pageSize.most),
    sort: read(names.sort, (text) => readSort(text, place.sortable)) ?? sort,
    filters,
    columns: read(names.columns, (text) => readColumns(text, place.columnKeys)),
    dropped,
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
  changes: ListChanges
}): Search {
  const { prefix, filters, size } = place
  const next: Record<string, string | undefined> = { ...search }
  const put = (name: string, value: string | undefined) => {
    next[`${prefix}${name}`] = value || undefined
  }
  if (!isOfLooksOnly(changes)) put(names.page, changes.page ? String(changes.page + 1) : undefined)
  if (changes.search !== undefined) put(names.search, changes.search)
  if (changes.size !== undefined) put(names.size, changes.size === size ? undefined : String(changes.size))
  if (changes.sort !== undefined)
    put(names.sort, isSame(changes.sort, place.sort) ? undefined : sortValue(changes.sort))
  if (changes.columns !== undefined) put(names.columns, changes.columns?.join(','))
  if (changes.filters) for (const { name } of filters) put(name, changes.filters[name])
  return next
}

/** The address without what makes no sense in it. */
export function withoutDropped(search: Search, { prefix }: ListPlace, dropped: readonly string[]): Search {
  const wrong = new Set(dropped.map((name) => `${prefix}${name}`))
  return Object.fromEntries(Object.entries(search).filter(([name]) => !wrong.has(name)))
}

/** What of an address a saved view keeps: all that it says about the list but the page. */
export function viewOfSearch(search: Search, place: ListPlace): Record<string, string> {
  const kept = [...place.filters.map(({ name }) => name), names.search, names.size, names.sort, names.columns]
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = search[`${place.prefix}${name}`]
      return value ? [[name, value]] : []
    }),
  )
}

/** The address that shows a saved view; what it says of other things than the list stays. */
export function searchOfView(search: Search, place: ListPlace, view: Readonly<Record<string, string>>): Search {
  const cleared = [...place.filters.map(({ name }) => name), ...Object.values(names)]
  const rest = withoutDropped(search, place, cleared)
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(view).map(([name, value]) => [`${place.prefix}${name}`, value])),
  }
}

/** The question to the server that a state stands for; `filters` are those of the person and of the screen. */
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

/** Other columns are the same rows. */
function isOfLooksOnly(changes: ListChanges) {
  const changed = Object.keys(changes)
  return changed.length > 0 && changed.every((name) => name === names.columns)
}

function isSame(sort: Required<Sort>, other: Required<Sort> | undefined) {
  return sort.prop === other?.prop && sort.dir === other.dir
}

function sortValue({ prop, dir }: Required<Sort>) {
  return `${dir === 'desc' ? '-' : ''}${prop}`
}

function readSort(text: string, sortable: readonly string[]): Required<Sort> | undefined {
  const [, minus, prop = ''] = /^(-?)([\w.]{1,60})$/.exec(text) ?? []
  return sortable.includes(prop) ? { prop, dir: minus ? 'desc' : 'asc' } : undefined
}

/** The columns that are there; one that is not there (any more) makes the others no less wanted. */
function readColumns(text: string, known: readonly string[]): string[] | undefined {
  const keys = [...new Set(text.split(','))].filter((key) => known.includes(key))
  return keys.length > 0 ? keys : undefined
}

function counting(text: string) {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
