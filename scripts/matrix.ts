import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { testEnvironment } from './test-environment.ts'

/**
 * The whole permission matrix: every way of naming an account, and every probe of everybody who is let in; or, with `fixed`, every
 * kind of header by everybody once.
 */
const form = process.argv[2] === 'fixed' ? 'fixed' : 'full'

const child = spawn('vitest', ['run', '--project', 'matrix'], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...testEnvironment(), PORTCULLIS_MATRIX: form },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
