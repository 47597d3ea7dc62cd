import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { testEnvironment } from './test-environment.ts'

/**
 * The long form of the tests on random data: `npm run random-cases -- 100000`, for the filter language unless other files
 * are named.
 */
const [cases = '100000', ...files] = process.argv.slice(2)

const child = spawn('vitest', ['run', ...(files.length > 0 ? files : ['filter-language'])], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...testEnvironment(), PORTCULLIS_CASES: cases },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
