import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { parseJson } from './parse-json.ts'

test.for([
  ['too many levels', '['.repeat(65) + ']'.repeat(65), 'nested_too_deep'],
  ['a megabyte of open brackets', '['.repeat(1_000_000), 'nested_too_deep'],
  ['a megabyte of open objects', '{"a":'.repeat(200_000), 'nested_too_deep'],
  ['a megabyte of empty objects', `[${'{},'.repeat(330_000)}{}]`, 'too_many_entries'],
  ['a megabyte of keys', `{${'"":1,'.repeat(200_000)}"a":1}`, 'too_many_entries'],
  ['a list of 60,000 numbers', `[${'1,'.repeat(60_000)}1]`, 'too_many_entries'],
  [
    'an object of 3,000 keys',
    `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    'too_many_entries',
  ],
  ['no JSON', '{"a":', 'not_json'],
  ['a duplicate key in an object in a list', '[{"a":1},{"a":1,"\\u0061":2}]', 'repeated_name'],
  ['a prototype', '{"__proto__":{}}', 'repeated_name'],
] as const)('%s is refused', ([, text, code]) => {
  expect(problemOf(() => parseJson(text, 'body'))).toBe(code)
})

test('brackets and escaped quotes in strings are not levels', () => {
  const text = '['.repeat(100)
  expect(parseJson(JSON.stringify({ text, quote: '"\\"[', list: [[], {}] }), 'body')).toEqual({
    text,
    quote: '"\\"[',
    list: [[], {}],
  })
})

test('64 levels are parsed, however often', () => {
  const deep = '['.repeat(63) + ']'.repeat(63)
  expect(parseJson(`[${deep},${deep}]`, 'body')).toHaveLength(2)
})

function problemOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    return error instanceof AppError ? error.fieldErrors?.['body']?.code : error
  }
  return undefined
}
