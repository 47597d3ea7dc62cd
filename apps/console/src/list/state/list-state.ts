import { type Filter, type ListQuery, pageSize, type Sort } from '@portcullis/contract/list-query'
import { type FilterValues, type ListFilter, termOf } from '../filters/filters.ts'

/** The query of a list: kept in the address of the page, so that it survives a reload and can be sent to another user. */
export type ListState = {
  search: string
  /** 0-based, as on the server; the address counts from 1. */
  page: number
  size: number
  sort: Required<Sort> | undefined
  /** Values of the filters by their names. */
  filters: FilterValues
  /** Keys of the visible columns, in their order; undefined where the address has none. */
  columns: readonly string[] | undefined
  /** Invalid parameters of the address; the list ignores them. */
  dropped: readonly string[]
}

/** The changes that a user makes; `columns: null` returns to the default columns. */
export type ListChanges = Partial<Omit<ListState, 'columns' | 'dropped'>> & { columns?: readonly string[] | null }

export type Search = Readonly<Record<string, string | undefined>>

/** The parameters of a list in the address; `prefix` separates two lists on one page. */
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

/** Reads the state of a list from the query of an address. Invalid values are ignored. */
export function readListState(search: Search, place: ListPlace): ListState {
  const dropped: string[] = []
  const { prefix, sort, size } = place

  /** The value of a parameter, if it is valid. */
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

/** The query of a URL with a changed state of the list. A change of the listed rows returns to the first page. */
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

/** The address without its invalid parameters. */
export function withoutDropped(search: Search, { prefix }: ListPlace, dropped: readonly string[]): Search {
  const wrong = new Set(dropped.map((name) => `${prefix}${name}`))
  return Object.fromEntries(Object.entries(search).filter(([name]) => !wrong.has(name)))
}

/** The part of an address that a saved view stores: everything about the list but the page. */
export function viewOfSearch(search: Search, place: ListPlace): Record<string, string> {
  const ownNames = [...place.filters.map(({ name }) => name), names.search, names.size, names.sort, names.columns]
  return Object.fromEntries(
    ownNames.flatMap((name) => {
      const value = search[`${place.prefix}${name}`]
      return value ? [[name, value]] : []
    }),
  )
}

/** The address of a saved view; parameters of other parts of the page stay. */
export function searchOfView(search: Search, place: ListPlace, view: Readonly<Record<string, string>>): Search {
  const cleared = [...place.filters.map(({ name }) => name), ...Object.values(names)]
  const rest = withoutDropped(search, place, cleared)
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(view).map(([name, value]) => [`${place.prefix}${name}`, value])),
  }
}

/** The query of a state for the server; `filters` are those of the user and of the screen. */
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

/** Other columns do not change the rows. */
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

/** The columns that exist; an unknown one does not affect the others. */
function readColumns(text: string, columnKeys: readonly string[]): string[] | undefined {
  const keys = [...new Set(text.split(','))].filter((key) => columnKeys.includes(key))
  return keys.length > 0 ? keys : undefined
}

function counting(text: string) {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
