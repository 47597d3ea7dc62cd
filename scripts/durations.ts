import { readFile } from 'node:fs/promises'
import * as z from 'zod'

const fileDuration = z.object({
  file: z.string(),
  seconds: z.number(),
  tests: z.array(z.object({ name: z.string(), seconds: z.number() })),
})

/** The durations of a test file and of its tests. */
export type FileDuration = z.output<typeof fileDuration>
export type StageDuration = { name: string; seconds: number }

const slowestShown = 25

/** The output of `duration-reporter.ts`; empty if the suite ended before it was written. */
export async function vitestDurations(reportFile: string): Promise<FileDuration[]> {
  return z.array(fileDuration).parse(await readJson(reportFile, '[]'))
}

/** The durations in Playwright's JSON report; empty if the suite ended before it was written. */
export async function playwrightDurations(reportFile: string): Promise<FileDuration[]> {
  const { suites } = playwrightReport.parse(await readJson(reportFile, '{"suites":[]}'))
  return suites.map((suite) => {
    const tests = journeysOf(suite)
    return { file: suite.file, seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0), tests }
  })
}

/** The stages in their order and the slowest files, as lines for the end of a run. */
export function durationLines({ stages, files }: { stages: readonly StageDuration[]; files: readonly FileDuration[] }) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
  return [
    'Stages',
    ...stages.map(({ name, seconds }) => line(seconds, name)),
    `Slowest ${slowest.length} of ${files.length} files`,
    ...slowest.map(({ seconds, file, tests }) => line(seconds, `${file} (${tests.length} tests)`)),
  ]
}

function line(seconds: number, name: string) {
  return `${seconds.toFixed(1).padStart(8)} s  ${name}`
}

type PlaywrightSuite = {
  file: string
  specs: { title: string; tests: { results: { duration: number }[] }[] }[]
  suites?: PlaywrightSuite[] | undefined
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  file: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})
const playwrightReport = z.object({ suites: z.array(playwrightSuite) })

function journeysOf({ specs, suites = [] }: PlaywrightSuite): FileDuration['tests'] {
  return [
    ...specs.map(({ title, tests }) => {
      const milliseconds = tests.flatMap(({ results }) => results.map(({ duration }) => duration))
      return { name: title, seconds: milliseconds.reduce((sum, each) => sum + each, 0) / 1_000 }
    }),
    ...suites.flatMap(journeysOf),
  ]
}

async function readJson(file: string, otherwise: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8').catch(() => otherwise))
}
