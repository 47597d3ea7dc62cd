import { expect, test } from 'vitest'
import { ancestorsOf, descendantsOf } from './account-tree.ts'

const accounts = [
  { _id: 'branch', parent: 'acme' },
  { _id: 'group', parent: null },
  { _id: 'acme', parent: 'group' },
  { _id: 'other', parent: 'group' },
]

test('ancestors are ordered nearest first', () => {
  expect(ancestorsOf(accounts, 'branch')).toEqual(['acme', 'group'])
  expect(ancestorsOf(accounts, 'group')).toEqual([])
  expect(ancestorsOf(accounts, 'unknown')).toEqual([])
})

test('each descendant comes after its parent', () => {
  expect(descendantsOf(accounts, 'group')).toEqual(['acme', 'other', 'branch'])
  expect(descendantsOf(accounts, 'branch')).toEqual([])
})

test('a loop in the hierarchy does not run forever', () => {
  const loop = [
    { _id: 'a', parent: 'b' },
    { _id: 'b', parent: 'a' },
  ]
  expect(ancestorsOf(loop, 'a')).toEqual(['b'])
  expect(descendantsOf(loop, 'a')).toEqual(['b'])
})
