import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reasonCodes } from '../packages/domain/src/decision/reasons.ts'
import { decisionTable } from './decision-table.ts'

test('docs/decision.md is what npm run decision-table writes', async () => {
  expect(await readFile(join(import.meta.dirname, '../docs/decision.md'), 'utf8')).toBe(decisionTable())
})

test('every reason code is in the table', () => {
  const table = decisionTable()
  expect(reasonCodes.filter((code) => !table.includes(`| \`${code}\` |`))).toEqual([])
})
