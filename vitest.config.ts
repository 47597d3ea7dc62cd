import { defineConfig } from 'vitest/config'

/** How many random cases the long properties try: few with every run, 100,000 and more now and then. */
const randomCases = Number(process.env['PORTCULLIS_CASES'] ?? 400)

/** How much of the permission matrix is tried: a fixed part with every run, all of it by `npm run matrix`. */
const matrixForm = process.env['PORTCULLIS_MATRIX'] === 'full' ? 'full' : 'fixed'

const patient = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } }

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    projects: [
      { test: { ...patient, name: 'packages', include: ['packages/*/src/**/*.test.ts'] } },
      { test: { ...patient, name: 'console', include: ['apps/console/src/**/*.test.{ts,tsx}'] } },
      { test: { ...patient, name: 'scripts', include: ['scripts/**/*.test.ts', 'bench/**/*.test.ts'] } },
      {
        test: {
          ...patient,
          name: 'server',
          include: ['apps/server/src/**/*.test.ts'],
          provide: { randomCases, matrixForm },
          globalSetup: ['apps/server/src/database/test-engine.ts'],
        },
      },
    ],
  },
})
