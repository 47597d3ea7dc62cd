import { expect, test } from 'vitest'
import { filterOf, type ListFilter } from './filters.ts'

const filters: ListFilter[] = [
  { name: 'status', label: 'Status', kind: 'choice', choices: [] },
  {
    name: 'use',
    label: 'In use',
    kind: 'choice',
    choices: [],
    toFilter: (value) => ({ enabled: value === 'yes' }),
  },
]

test('no filter is set: nothing is asked of the server', () => {
  expect(filterOf(filters, {})).toBeUndefined()
})

test('a filter asks for its value, in its own words where it has some', () => {
  expect(filterOf(filters, { status: 'online' })).toEqual({ status: 'online' })
  expect(filterOf(filters, { use: 'yes' })).toEqual({ enabled: true })
})

test('several filters hold together; values of other lists are not theirs', () => {
  expect(filterOf(filters, { status: 'online', use: 'no', site: 'x' })).toEqual({
    and: [{ status: 'online' }, { enabled: false }],
  })
})
