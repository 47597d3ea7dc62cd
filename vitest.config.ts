import { defineConfig } from 'vitest/config'
import { countCommits, matrixEighth } from './scripts/matrix-eighth.ts'
import { SlowFilesFirst } from './scripts/slow-files-first.ts'

/** How many random cases the long properties try: few with every run, 100,000 and more now and then. */
const randomCases = Number(process.env['PORTCULLIS_CASES'] ?? 400)

/** How much of the permission matrix is tried: an eighth with every run, all of it by `npm run matrix`. */
const matrixForms = ['sampled', 'fixed', 'full'] as const
const matrixForm = matrixForms.find((form) => form === process.env['PORTCULLIS_MATRIX']) ?? 'sampled'
const [matrixPart = 1, matrixParts = 1] = (process.env['PORTCULLIS_MATRIX_PART'] ?? '1/1').split('/').map(Number)
/** Set to an eighth that was printed, from 1 to 8, to try the same one again. */
const repeated = process.env['PORTCULLIS_MATRIX_EIGHTH']
const eighth =
  repeated === undefined
    ? matrixEighth({ commits: countCommits(import.meta.dirname), now: new Date() })
    : Number(repeated) - 1

/** Far longer than anything takes: these limits only end a run that hangs. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

// What a file loads stays loaded for the next one: a fifth of the time was spent on loading it again.
const together = { ...patient, isolate: false }
const withEngine = {
  provide: {
    randomCases,
    matrixForm,
    matrixPart: { at: matrixPart, of: matrixParts },
    matrixEighth: eighth,
    compileCache: process.env['NODE_COMPILE_CACHE'],
  },
  globalSetup: ['apps/server/src/database/test-engine.ts'],
}

export default defineConfig({
  test: {
    environment: 'node',
    // Of every three one waits for PostgreSQL or for a clock, also on two processors.
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      // Plants faults in modules, which no other file may meet.
      { test: { ...patient, ...withEngine, name: 'matrix', include: ['e2e/permissions/**/*.test.ts'] } },
      {
        test: {
          ...together,
          ...withEngine,
          name: 'server',
          include: ['apps/{server,demonstration}/src/**/*.test.ts', 'e2e/isolation/*.test.ts'],
        },
      },
      {
        test: {
          ...together,
          // Tests of the conformance kits mostly wait, and their time limits need room on a busy machine.
          maxConcurrency: 20,
          provide: { randomCases },
          name: 'packages',
          include: ['packages/*/src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...together,
          name: 'console',
          setupFiles: ['apps/console/src/test-locale.ts'],
          include: ['apps/console/src/**/*.test.ts'],
        },
      },
      // Components in a DOM: each file has its own, and its own modules, as a page has.
      {
        test: {
          ...patient,
          // Only ends a run that hangs: on a busy machine the modules of a page may take a minute to load.
          testTimeout: 600_000,
          name: 'components',
          environment: 'happy-dom',
          setupFiles: ['apps/console/src/test-locale.ts'],
          // Nothing listens there: the real-time channel never opens, whatever runs on this machine.
          environmentOptions: { happyDOM: { url: 'http://127.0.0.1:1/' } },
          include: ['apps/console/src/**/*.test.tsx'],
        },
      },
      { test: { ...together, name: 'scripts', include: ['{scripts,bench,e2e/simulation}/**/*.test.ts'] } },
    ],
  },
})
