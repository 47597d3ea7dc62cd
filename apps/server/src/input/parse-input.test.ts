import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from './parse-input.ts'

const schema = z.strictObject({ ids: z.array(z.uuid()).optional(), inner: z.strictObject({}).optional() })

test('names 20 invalid fields and counts the others, so that an answer does not outgrow its request', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `unknown${index}`)
  const error = refusal(Object.fromEntries(keys.map((key) => [key, 1])))
  expect(Object.keys(error.fieldErrors ?? {})).toEqual(keys.slice(0, 20))
  expect(error.furtherFields).toBe(1_980)
  expect(error.message).toMatch(/ Further invalid fields: 1980\.$/)
})

test('counts the invalid entries of a list, of a long one those at its beginning', () => {
  const short = refusal({ ids: Array.from({ length: 1_000 }, () => 'no id') })
  expect(short.furtherFields).toBe(980)
  const error = refusal({ ids: Array.from({ length: 10_000 }, () => 'no id') })
  expect(Object.keys(error.fieldErrors ?? {}).slice(0, 2)).toEqual(['ids.0', 'ids.1'])
  expect(error.furtherFields).toBe(980)
})

test('an invalid entry behind the beginning of a long list is named, and a valid list of that length accepted', () => {
  const ids = Array.from({ length: 5_000 }, () => '01900000-0000-7000-8000-000000000001')
  expect(parseInput(schema, { ids })).toEqual({ ids })
  expect(Object.keys(refusal({ ids: [...ids, 'no id'] }).fieldErrors ?? {})).toEqual(['ids.5000'])
})

test('names an unknown key in an object by its path, and a long one by its beginning', () => {
  expect(Object.keys(refusal({ inner: { [`x${'y'.repeat(5_000)}`]: 1 } }).fieldErrors ?? {})).toEqual([
    `inner.x${'y'.repeat(93)}`,
  ])
})

function refusal(input: unknown) {
  try {
    parseInput(schema, input)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('The input was accepted.')
}
