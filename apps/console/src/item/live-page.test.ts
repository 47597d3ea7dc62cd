import { expect, test } from 'vitest'
import { holds, isPage, withArrived, withoutRemoved, withSaved } from './live-page.ts'

const page = {
  items: [
    { _id: 'a', name: 'Gatehouse', version: 3 },
    { _id: 'b', name: 'Freezer', version: 1 },
  ],
  page: { totalElements: 12 },
}

test('§4 real-time: a saved item replaces its previous state', () => {
  expect(withSaved(page, { _id: 'b', name: 'Freezer 4', version: 2 }).items[1]).toEqual({
    _id: 'b',
    name: 'Freezer 4',
    version: 2,
  })
})

test('§4 real-time: an older state that arrives late changes nothing', () => {
  expect(withSaved(page, { _id: 'a', name: 'Gate', version: 2 })).toBe(page)
})

test('§4 real-time: an item that is not on the page leaves the page as it is', () => {
  expect(withSaved(page, { _id: 'c' })).toBe(page)
  expect(withoutRemoved(page, 'c')).toBe(page)
})

test('§4 real-time: a removed item leaves the page and the total', () => {
  const rest = withoutRemoved(page, 'a')
  expect(rest.items).toHaveLength(1)
  expect(rest.page.totalElements).toBe(11)
  expect(holds(rest, 'a')).toBe(false)
})

test('§4 live rows: a new item appears at its place, and the total grows', () => {
  const sort = { prop: 'name', dir: 'desc' } as const
  const next = withArrived(page, { item: { _id: 'c', name: 'Garage', version: 1 }, sort })
  expect(next.items.map((item) => item._id)).toEqual(['a', 'c', 'b'])
  expect(next.page.totalElements).toBe(13)
  expect(withArrived(next, { item: { _id: 'c' }, sort })).toBe(next)
})

test('§4 live rows: an item of a later page is only counted; on the last page it is added at the end', () => {
  const sort = { prop: 'name', dir: 'desc' } as const
  const item = { _id: 'c', name: 'Annex', version: 1 }
  const later = withArrived(page, { item, sort })
  expect(later.items).toBe(page.items)
  expect(later.page.totalElements).toBe(13)
  const last = withArrived({ ...page, page: { totalElements: 2 } }, { item, sort })
  expect(last.items.at(-1)).toBe(item)
})

test('only pages are treated as pages', () => {
  expect(isPage(page)).toBe(true)
  expect(isPage(undefined)).toBe(false)
  expect(isPage({ items: [] })).toBe(false)
})
