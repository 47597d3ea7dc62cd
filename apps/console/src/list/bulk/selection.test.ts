import { expect, test } from 'vitest'
import { chosenOf, maxSelected, type Selected, withAll, withoutAll, withToggled } from './selection.ts'

const items = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }))
const [a, b, , d] = items
const none: Selected<{ _id: string }> = new Map()
const keys = (selected: Selected<{ _id: string }>) => [...selected.keys()]

test('§4 selection: a row is selected, and no longer selected', () => {
  if (!a) throw new Error('There are rows.')
  const one = withToggled(none, { items, item: a })
  expect(keys(one)).toEqual(['a'])
  expect(keys(withToggled(one, { items, item: a }))).toEqual([])
})

test('§4 selection: with shift everything between the last choice and this one', () => {
  if (!b || !d) throw new Error('There are rows.')
  expect(keys(withToggled(none, { items, item: d, anchor: 'b' }))).toEqual(['b', 'c', 'd'])
  expect(keys(withToggled(none, { items, item: b, anchor: 'd' }))).toEqual(['b', 'c', 'd'])
  expect(keys(withToggled(none, { items, item: b, anchor: 'gone' }))).toEqual(['b'])
})

test('§4 selection: all of a page, which may be a part of the selection', () => {
  expect(chosenOf(none, items)).toBe('none')
  expect(chosenOf(withAll(none, items.slice(1)), items)).toBe('some')
  const all = withAll(withAll(none, [{ _id: 'x' }]), items)
  expect(chosenOf(all, items)).toBe('all')
  expect(keys(withoutAll(all, items))).toEqual(['x'])
})

test('§4 selection: it has a maximum size', () => {
  const many = Array.from({ length: maxSelected + 5 }, (_, index) => ({ _id: String(index) }))
  expect(withAll(none, many).size).toBe(maxSelected)
})
