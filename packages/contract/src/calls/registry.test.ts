import { expect, test } from 'vitest'
import { nameOf } from '../call.ts'
import { calls } from './registry.ts'

test('every id and every route is defined once', () => {
  const ids = calls.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(calls.map(nameOf)).size).toBe(calls.length)
})

test('a path has exactly the parameters that are described', () => {
  for (const { id, path, params = {} } of calls) {
    expect(Object.keys(params), id).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
})
