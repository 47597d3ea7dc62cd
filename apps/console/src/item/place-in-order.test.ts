import { expect, test } from 'vitest'
import { isInPlace, placeInOrder } from './place-in-order.ts'

const asc = { prop: 'name', dir: 'asc' } as const
const desc = { prop: 'name', dir: 'desc' } as const
const items = [
  { _id: '1', name: 'Freezer' },
  { _id: '2', name: 'Gatehouse' },
  { _id: '3', name: null },
]

test.each([
  [{ _id: '9', name: 'Annex' }, 0],
  [{ _id: '9', name: 'Gate' }, 1],
  [{ _id: '9', name: 'Gatehouse' }, 2],
  [{ _id: '0', name: 'Gatehouse' }, 1],
  [{ _id: '9', name: 'Yard' }, 2],
  [{ _id: '9', name: null }, 3],
  [{ _id: '0', name: null }, 2],
])('§4 live rows: %o is inserted at its place in the order', (item, index) => {
  expect(placeInOrder(items, { item, sort: asc })).toBe(index)
})

test('§4 live rows: items without a value are last in both directions', () => {
  const others = [items[1], items[0], items[2]]
  expect(placeInOrder(others, { item: { _id: '9', name: 'Yard' }, sort: desc })).toBe(0)
  expect(placeInOrder(others, { item: { _id: '9', name: 'Annex' }, sort: desc })).toBe(2)
})

test('§4 live rows: numbers and yes or no have an order, too', () => {
  expect(placeInOrder([{ _id: '1', n: 9 }], { item: { _id: '2', n: 10 }, sort: { prop: 'n', dir: 'asc' } })).toBe(1)
  expect(placeInOrder([{ _id: '1', n: true }], { item: { _id: '2', n: false }, sort: { prop: 'n', dir: 'asc' } })).toBe(
    0,
  )
})

test('§4 live rows: a changed item stays where it is as long as it is in order', () => {
  expect(isInPlace(items, { item: { _id: '1', name: 'Gate' }, sort: asc })).toBe(true)
  expect(isInPlace(items, { item: { _id: '1', name: 'Yard' }, sort: asc })).toBe(false)
  expect(isInPlace(items, { item: { _id: '3', name: 'Annex' }, sort: asc })).toBe(false)
})
