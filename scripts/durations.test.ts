import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { durationLines, playwrightDurations, vitestDurations } from './durations.ts'

let folder: string
let report: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-durations-'))
  report = join(folder, 'report.json')
})

afterEach(() => rm(folder, { recursive: true }))

test('the stages and the slowest 25 files are shown, the slowest first', () => {
  const files = Array.from({ length: 30 }, (_, index) => ({ file: `${index}.test.ts`, seconds: index, tests: [] }))
  const lines = durationLines({ stages: [{ name: 'Tests', seconds: 61.25 }], files })
  expect(lines.slice(0, 4)).toEqual([
    'Stages',
    '    61.3 s  Tests',
    'Slowest 25 of 30 files',
    '    29.0 s  29.test.ts (0 tests)',
  ])
  expect(lines.slice(3)).toHaveLength(25)
})

test('a file of journeys took as long as its journeys, at every depth and in every try', async () => {
  const journey = (title: string, ...durations: number[]) => ({
    title,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  })
  const inner = { file: 'a.spec.ts', specs: [journey('inner', 250)] }
  const suites = [{ file: 'a.spec.ts', specs: [journey('outer', 1_000, 500)], suites: [inner] }]
  await writeFile(report, JSON.stringify({ suites }))
  expect(await playwrightDurations(report)).toEqual([
    {
      file: 'a.spec.ts',
      seconds: 1.75,
      tests: [
        { name: 'outer', seconds: 1.5 },
        { name: 'inner', seconds: 0.25 },
      ],
    },
  ])
})

test('a suite that ended without a report has no durations', async () => {
  expect(await vitestDurations(report)).toEqual([])
  expect(await playwrightDurations(report)).toEqual([])
})
