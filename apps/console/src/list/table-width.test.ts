import { expect, test } from 'vitest'
import { tableWidth } from './table-width.ts'

test('§4 columns: a table is as wide as its columns need, however many are selected', () => {
  const columns = [{ width: '27%' }, { width: '120px' }, {}]
  expect(tableWidth(columns, { hasSelection: false })).toBe(150 + 120 + 150)
  expect(tableWidth(columns, { hasSelection: true })).toBe(150 + 120 + 150 + 44)
})
