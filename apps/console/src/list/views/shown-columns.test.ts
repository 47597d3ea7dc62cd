import { expect, test } from 'vitest'
import { isInitial, moved, shownColumns } from './shown-columns.ts'

const columns = [
  { key: 'status' },
  { key: 'name', phone: 'title' },
  { key: 'site' },
  { key: 'createdAt', isExtra: true },
]
const shown = (keys: readonly string[] | undefined) => shownColumns(columns, keys).map(({ key }) => key)

test('§4 columns: without a choice the list shows its own', () => {
  expect(shown(undefined)).toEqual(['status', 'name', 'site'])
})

test('§4 columns: selected columns are shown in the selected order', () => {
  expect(shown(['createdAt', 'name'])).toEqual(['createdAt', 'name'])
})

test('§4 columns: the identifying column of a row cannot be hidden', () => {
  expect(shown(['site'])).toEqual(['name', 'site'])
  expect(shown([])).toEqual(['name'])
})

test('a column moves to another place, and no further than the ends', () => {
  expect(moved(['a', 'b', 'c'], { key: 'c', to: 0 })).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], { key: 'a', to: 1 })).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], { key: 'b', to: 9 })).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], { key: 'b', to: -1 })).toEqual(['b', 'a', 'c'])
})

test('the columns of the list itself are known as such', () => {
  expect(isInitial(columns, ['status', 'name', 'site'])).toBe(true)
  expect(isInitial(columns, ['name', 'status', 'site'])).toBe(false)
  expect(isInitial(columns, ['status', 'name'])).toBe(false)
})
