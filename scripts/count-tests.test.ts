import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countPlaywright, countVitest } from './count-tests.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-counts-'))
  file = join(folder, 'report.json')
})

afterEach(() => rm(folder, { recursive: true }))

test.for([
  ['passed tests', { success: true, numPassedTests: 3, numFailedTests: 0, testResults: [] }, { passed: 3, failed: 0 }],
  [
    'a file that does not load',
    {
      success: false,
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}] },
      ],
    },
    { passed: 3, failed: 2 },
  ],
  [
    'an error outside of every test',
    { success: false, numPassedTests: 3, numFailedTests: 0, testResults: [] },
    { passed: 3, failed: 1 },
  ],
] as const)('unit and server tests are counted: %s', async ([, report, counts]) => {
  await writeFile(file, JSON.stringify(report))
  expect(await countVitest(file)).toEqual(counts)
})

test('journeys are counted', async () => {
  await writeFile(file, JSON.stringify({ stats: { expected: 4, unexpected: 2, flaky: 1, skipped: 9 }, errors: [{}] }))
  expect(await countPlaywright(file)).toEqual({ passed: 4, failed: 4 })
})

test('a suite that died without a report counts as failed', async () => {
  expect(await countVitest(file)).toEqual({ passed: 0, failed: 1 })
  expect(await countPlaywright(file)).toEqual({ passed: 0, failed: 1 })
})
