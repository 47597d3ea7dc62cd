import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { type Counts, countPlaywright, countVitest } from './count-tests.ts'
import {
  durationLines,
  type FileDuration,
  playwrightDurations,
  type StageDuration,
  vitestDurations,
} from './durations.ts'
import { findBrowser } from './find-browser.ts'
import { runGates } from './gates.ts'
import { maxSignInBytes, signInBytes } from './sign-in-size.ts'
import { testEnvironment } from './test-environment.ts'

const root = join(import.meta.dirname, '..')
const journeys = join(root, 'e2e/playwright.config.ts')
const durationReporter = `--reporter=${join(root, 'scripts/duration-reporter.ts')}`
/** Playwright empties its folder when it starts, so this is written at the end. */
const durationsFile = join(root, 'test-results/durations.json')
const reports = await mkdtemp(join(tmpdir(), 'portcullis-reports-'))
const total: Counts = { passed: 0, failed: 0 }
const stages: StageDuration[] = []
const files: FileDuration[] = []

/** Interrupted suites stop their own processes; this process kills the remaining ones. */
let suite: ChildProcess | undefined
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true
    if (suite === undefined) process.exit(130)
    suite.kill('SIGINT')
  })
}

await step('Gates', runGates)

await step('Tests', async () => {
  const report = join(reports, 'tests.json')
  const durations = join(reports, 'test-durations.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, durationReporter]
  await run('vitest', ['run', ...reporters], { PORTCULLIS_DURATIONS: durations })
  files.push(...(await vitestDurations(durations)))
  return countVitest(report)
})

let isBuilt = false
await step('Console build', async () => {
  isBuilt = (await buildConsole()) !== 'failed'
  return one(isBuilt)
})

await step('Sign-in page', async () => {
  const bytes = await signInBytes()
  console.log(`${(bytes / 1_000).toFixed(1)} kB of JavaScript, gzipped`)
  return one(bytes < maxSignInBytes)
})

if (existsSync(journeys)) await step('Journeys in a browser', runJourneys)

await rm(reports, { recursive: true })
await mkdir(join(durationsFile, '..'), { recursive: true })
await writeFile(durationsFile, JSON.stringify({ stages, files }, null, 2))
console.log(`\n== Durations\n${durationLines({ stages, files }).join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1

async function runJourneys(): Promise<Counts> {
  if (!isBuilt) throw new Error('Not run: the console was not built. See the output of the build above.')
  const report = join(reports, 'journeys.json')
  const browser = findBrowser((sentence) => console.log(sentence))
  console.log(`Browser: ${browser}`)
  await run('playwright', ['test', '--config', journeys, '--reporter=list,json'], {
    PORTCULLIS_BROWSER: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  files.push(...(await playwrightDurations(report)))
  return countPlaywright(report)
}

/** Continues after a failure, so that all failures are reported. */
async function step(heading: string, work: () => Promise<Counts>): Promise<void> {
  console.log(`\n== ${heading}`)
  const since = performance.now()
  const counts = await work().catch((error: unknown): Counts => {
    console.log(error instanceof Error ? error.message : String(error))
    return one(false)
  })
  total.passed += counts.passed
  total.failed += counts.failed
  const seconds = (performance.now() - since) / 1_000
  stages.push({ name: heading, seconds })
  console.log(`${counts.failed === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`)
}

function one(isPassed: boolean): Counts {
  return isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function run(program: string, settings: string[], additions: Record<string, string> = {}): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(program, settings, {
    cwd: root,
    env: { ...testEnvironment(), ...additions },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  suite = child
  child.once('error', reject)
  child.once('exit', () => resolve())
  await promise
  suite = undefined
  if (isInterrupted) process.exit(130)
}
