import { ApiError } from '@portcullis/client/api-error'
import { collections } from '@portcullis/contract/collections/registry'
import { errorStatus } from '@portcullis/contract/errors'
import { fieldCodes } from '@portcullis/contract/errors/field-codes'
import { errorParameters, fieldParameters } from '@portcullis/contract/errors/parameters'
import { translations as passwordAdvice } from '@zxcvbn-ts/language-en'
import { describe, expect, test } from 'vitest'
import { errorText, problemText } from './error-text.ts'
import { problemWords } from './error-text.ts'
import { translations } from './translation.ts'

const taken = { status: 409, code: 'taken' as const, message: 'This number is already taken.' }

test.each([
  [undefined, 'This is already taken.'],
  ['Nomsa Dlamini', 'This is already taken by Nomsa Dlamini.'],
])('§2 a taken value is reported with its holder, as far as the server names one: %j', (holder, sentence) => {
  const parameters = { field: 'number', ...(holder === undefined ? {} : { holder }) }
  expect(errorText(new ApiError({ ...taken, parameters }))).toBe(sentence)
})

test('an error is worded from its code and parameters, not shown in the words of the server', () => {
  const items = [
    { collection: 'sites', count: 2, isMore: false },
    { collection: 'events', count: 10_000, isMore: true },
    { collection: null, count: null, isMore: false },
  ]
  const error = new ApiError({
    status: 422,
    code: 'account_not_empty',
    message: 'Words of the server',
    parameters: { items },
  })
  expect(errorText(error)).toBe(
    'This account still contains 2 sites, more than 10,000 access events, and items that you cannot see. Move or delete those first, or suspend it.',
  )
})

test('a code of a newer server has a sentence of its own', () => {
  expect(problemText({ code: 'from_the_future', parameters: {} })).toBe('Please check this value.')
})

describe.each([...Object.keys(errorStatus), ...fieldCodes])('%s', (code) => {
  test('has a sentence that names only its own parameters', () => {
    const sentence = new Map<string, string>(Object.entries(problemWords.sentences)).get(code) ?? ''
    const own = new Map<string, object>(Object.entries({ ...errorParameters, ...fieldParameters })).get(code) ?? {}
    const named = [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    expect(sentence).toMatch(/\.$|\}\}$/)
    expect(Object.keys(own)).toEqual(expect.arrayContaining(named))
  })
})

test('every warning and suggestion about a password has words', () => {
  const { warnings, suggestions } = passwordAdvice
  const keys = [
    ...Object.keys(warnings).map((key) => `warning_${key}`),
    ...Object.keys(suggestions).map((key) => `suggestion_${key}`),
  ]
  expect(Object.keys(problemWords.advice)).toEqual(expect.arrayContaining(keys))
})

test('every collection has a word for its items', () => {
  const named = Object.keys(collections).filter((name) => name !== 'auditLogs')
  expect(Object.keys(problemWords.items)).toEqual(expect.arrayContaining(named))
})

test.each(Object.entries(translations))(
  'errors in %s name only their own parameters, and have the same advice and nouns as in English',
  async (_language, load) => {
    const { problems } = await load()
    const own = new Map<string, object>(Object.entries({ ...errorParameters, ...fieldParameters }))
    for (const [wording, sentence] of Object.entries(problems.sentences)) {
      const parameters = own.get(wording) ?? own.get(wording.replace(/_(by|in)$/, '')) ?? {}
      const named = [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      expect(Object.keys(parameters), wording).toEqual(expect.arrayContaining(named))
    }
    expect(Object.keys(problems.advice).sort()).toEqual(Object.keys(problemWords.advice).sort())
    expect(Object.keys(problems.items).sort()).toEqual(Object.keys(problemWords.items).sort())
  },
)
