import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { testEnvironment } from './test-environment.ts'

/** The whole permission matrix: every way of naming an account, and every probe of everybody who is let in. */
const folder = 'apps/server/src/matrix/'
const child = spawn('vitest', ['run', '--project', 'server', folder], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...testEnvironment(), PORTCULLIS_MATRIX: 'full' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
