import { ApiError } from '@portcullis/client/api-error'
import { expect, test } from 'vitest'
import { errorText } from './error-text.ts'

const taken = { status: 409, code: 'taken' as const, message: 'This number is already taken.' }
const holder = { collection: 'users', _id: '01a1f4af-0000-7000-8000-000000000000' }

test.each([
  [undefined, 'This is already taken.'],
  [{ ...holder, name: null }, 'This is already taken.'],
  [{ ...holder, name: 'Nomsa Dlamini' }, 'This is already taken by Nomsa Dlamini.'],
])('§2 what is taken is told with its holder, as far as the server names one: %j', (told, sentence) => {
  expect(errorText(new ApiError({ ...taken, holder: told }))).toBe(sentence)
})
