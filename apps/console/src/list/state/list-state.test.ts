import { sites } from '@portcullis/contract/collections/sites'
import { expect, test } from 'vitest'
import type { ListFilter } from '../filters/filters.ts'
import {
  type ListPlace,
  listQueryOf,
  readListState,
  searchOfView,
  viewOfSearch,
  withoutDropped,
  writeListState,
} from './list-state.ts'

const filters: ListFilter[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    choices: [
      { value: 'online', label: 'Online' },
      { value: 'offline', label: 'Offline' },
    ],
  },
  { name: 'site', label: 'Site', kind: 'reference', of: sites },
]
const place: ListPlace = {
  prefix: '',
  filters,
  sortable: ['name', 'status'],
  columnKeys: ['name', 'status', 'site'],
  sort: { prop: 'name', dir: 'asc' },
  size: 20,
}
const site = '019a0000-0000-7000-8000-000000000001'

test('an address without a query shows the first page in the order of the screen', () => {
  expect(readListState({}, place)).toEqual({
    search: '',
    page: 0,
    size: 20,
    sort: { prop: 'name', dir: 'asc' },
    filters: {},
    columns: undefined,
    dropped: [],
  })
})

test('§4 lists: search, page, size, order, filters and columns are read from the address', () => {
  const search = { search: 'gate', page: '3', size: '50', sort: '-status', status: 'offline', columns: 'status,name' }
  expect(readListState(search, place)).toEqual({
    search: 'gate',
    page: 2,
    size: 50,
    sort: { prop: 'status', dir: 'desc' },
    filters: { status: 'offline' },
    columns: ['status', 'name'],
    dropped: [],
  })
})

test.each([
  { page: '0' },
  { page: '-4' },
  { page: 'x' },
  { size: '0x20' },
  { sort: 'name;drop' },
  { sort: '-colour' },
  { status: 'burning' },
  { site: 'north' },
  { columns: 'colour' },
])('§4 lists: %o in an address is left out and reported, and does not break the list', (search) => {
  const { dropped, ...state } = readListState(search, place)
  expect(state).toMatchObject({ page: 0, size: 20, sort: { prop: 'name', dir: 'asc' }, filters: {} })
  expect(dropped).toEqual(Object.keys(search))
  expect(withoutDropped({ ...search, open: 'x' }, place, dropped)).toEqual({ open: 'x' })
})

test('a column that no longer exists leaves the others', () => {
  expect(readListState({ columns: 'status,colour,name,name' }, place).columns).toEqual(['status', 'name'])
})

test('a page size above the maximum of the server is reduced to it', () => {
  expect(readListState({ size: '9000' }, place).size).toBe(500)
})

test('a written state is read back', () => {
  const changes = {
    search: 'a&b',
    page: 4,
    size: 100,
    sort: { prop: 'status', dir: 'desc' as const },
    filters: { site },
    columns: ['status', 'site'],
  }
  expect(readListState(writeListState({ search: {}, place, changes }), place)).toEqual({ ...changes, dropped: [] })
})

test('the order of the list itself needs no word in the address', () => {
  const search = writeListState({ search: { sort: '-status' }, place, changes: { sort: { prop: 'name', dir: 'asc' } } })
  expect(search.sort).toBeUndefined()
})

test('another filter, search or order returns to the first page and leaves the rest of the URL unchanged', () => {
  const search = { page: '7', open: 'x', status: 'online' }
  expect(writeListState({ search, place, changes: { search: 'n' } })).toMatchObject({
    page: undefined,
    open: 'x',
    search: 'n',
    status: 'online',
  })
  expect(writeListState({ search, place, changes: { filters: {} } }).status).toBeUndefined()
})

test('other columns stay on the page; those of the list itself are not in the address', () => {
  const search = { page: '7', columns: 'name' }
  expect(writeListState({ search, place, changes: { columns: ['name', 'site'] } })).toEqual({
    page: '7',
    columns: 'name,site',
  })
  expect(writeListState({ search, place, changes: { columns: null } }).columns).toBeUndefined()
})

test('two lists on one page keep apart by their prefix', () => {
  const doors = { ...place, prefix: 'doors.' }
  const search = writeListState({ search: { search: 'north' }, place: doors, changes: { search: 'freezer' } })
  expect(readListState(search, place).search).toBe('north')
  expect(readListState(search, doors).search).toBe('freezer')
})

test('§4 saved views: a view stores the state of the list in the URL, and the URL restores the view', () => {
  const doors = { ...place, prefix: 'doors.' }
  const search = { 'doors.status': 'offline', 'doors.columns': 'name', 'doors.page': '3', status: 'online', open: 'x' }
  const view = viewOfSearch(search, doors)
  expect(view).toEqual({ status: 'offline', columns: 'name' })
  expect(searchOfView({ 'doors.page': '2', 'doors.site': site, open: 'x' }, doors, view)).toEqual({
    'doors.status': 'offline',
    'doors.columns': 'name',
    open: 'x',
  })
})

test('filters of the user and of the screen apply together', () => {
  const state = readListState({}, place)
  expect(listQueryOf(state, [undefined]).filter).toBeUndefined()
  expect(listQueryOf(state, [{ site: '1' }]).filter).toEqual({ site: '1' })
  expect(listQueryOf(state, [{ site: '1' }, { status: 'online' }]).filter).toEqual({
    and: [{ site: '1' }, { status: 'online' }],
  })
})
