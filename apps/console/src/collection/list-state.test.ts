import { expect, test } from 'vitest'
import { listQueryOf, readListState, writeListState } from './list-state.ts'

const place = { prefix: '', filterNames: ['status', 'site'], sort: { prop: 'name', dir: 'asc' as const }, size: 20 }

test('an address without a query shows the first page in the order of the screen', () => {
  expect(readListState({}, place)).toEqual({
    search: '',
    page: 0,
    size: 20,
    sort: { prop: 'name', dir: 'asc' },
    filters: {},
  })
})

test('search, page, size, order and filters are read from the address', () => {
  const state = readListState({ search: 'gate', page: '3', size: '50', sort: '-status', status: 'offline' }, place)
  expect(state).toEqual({
    search: 'gate',
    page: 2,
    size: 50,
    sort: { prop: 'status', dir: 'desc' },
    filters: { status: 'offline' },
  })
})

test.each([{ page: '0' }, { page: '-4' }, { page: 'x' }, { size: '0x20' }, { sort: 'name;drop' }])(
  '%o in an address does not break the list',
  (search) => {
    expect(readListState(search, place)).toMatchObject({ page: 0, size: 20, sort: { prop: 'name', dir: 'asc' } })
  },
)

test('a page size over what the server gives is brought down to it', () => {
  expect(readListState({ size: '9000' }, place).size).toBe(500)
})

test('what is written is read back', () => {
  const changes = {
    search: 'a&b',
    page: 4,
    size: 100,
    sort: { prop: 'site', dir: 'desc' as const },
    filters: { site: '1' },
  }
  expect(readListState(writeListState({ search: {}, place, changes }), place)).toEqual(changes)
})

test('another filter, search or order goes back to the first page and leaves the rest of the address alone', () => {
  const search = { page: '7', open: 'x', status: 'online' }
  expect(writeListState({ search, place, changes: { search: 'n' } })).toMatchObject({
    page: undefined,
    open: 'x',
    search: 'n',
    status: 'online',
  })
  expect(writeListState({ search, place, changes: { filters: {} } }).status).toBeUndefined()
})

test('two lists on one page keep apart by their prefix', () => {
  const doors = { ...place, prefix: 'doors.' }
  const search = writeListState({ search: { search: 'north' }, place: doors, changes: { search: 'freezer' } })
  expect(readListState(search, place).search).toBe('north')
  expect(readListState(search, doors).search).toBe('freezer')
})

test('filters of the person and of the screen hold together', () => {
  const state = readListState({}, place)
  expect(listQueryOf(state, [undefined]).filter).toBeUndefined()
  expect(listQueryOf(state, [{ site: '1' }]).filter).toEqual({ site: '1' })
  expect(listQueryOf(state, [{ site: '1' }, { status: 'online' }]).filter).toEqual({
    and: [{ site: '1' }, { status: 'online' }],
  })
})
