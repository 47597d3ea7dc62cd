import { expect, test } from 'vitest'
import { text } from './text.ts'

test('a text is found by its key in the catalogue', () => {
  expect(text('login.signIn')).toBe('Sign In')
})

test('values are put into a text, and numbers have the format of the language', () => {
  expect(text('list.range', { from: 1, to: 20, total: 12_345 })).toBe('1 to 20 of 12,345')
})

test('a text with a count has the plural form of the number', () => {
  expect(text('list.rows', { count: 1 })).toBe('1 row')
  expect(text('list.rows', { count: 1_200 })).toBe('1,200 rows')
})
