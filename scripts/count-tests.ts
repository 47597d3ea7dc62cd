import { readFile } from 'node:fs/promises'
import * as z from 'zod'

export type Counts = { passed: number; failed: number }

const vitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

/** A file that could not be loaded counts as one failed test, as does an error outside of every test. */
export async function countVitest(reportFile: string): Promise<Counts> {
  const report = await readReport(reportFile, vitestReport)
  if (report === undefined) return noReport
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.length,
  )
  const failed = report.numFailedTests + unloaded.length
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed }
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.unknown()),
})

/** A journey that passed only when repeated counts as failed, as does an error outside of every journey. */
export async function countPlaywright(reportFile: string): Promise<Counts> {
  const report = await readReport(reportFile, playwrightReport)
  if (report === undefined) return noReport
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length }
}

/** The suite ended before it could report. */
const noReport: Counts = { passed: 0, failed: 1 }

async function readReport<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : schema.parse(JSON.parse(text))
}
