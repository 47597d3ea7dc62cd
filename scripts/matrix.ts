import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { testEnvironment } from './test-environment.ts'

/**
 * Runs the whole permission matrix: every way of naming an account, and every probe by every user with access. With
 * `fixed`: every kind of header by every user once. The matrix takes hours on a small machine, so `3/8` runs the third of
 * eight parts of its routes.
 */
const [argument = ''] = process.argv.slice(2)
const form = argument === 'fixed' ? 'fixed' : 'full'
const part = /^[1-9]\d?\/[1-9]\d?$/.test(argument) ? argument : '1/1'
/** Tests of rooms and other tests without routes belong to the first part. */
const ofRoutes = ['matrix.test.ts', 'row-security.test.ts', 'filter-alone.test.ts'].map((file) => `permissions/${file}`)

const child = spawn('vitest', ['run', '--project', 'matrix', ...(part.startsWith('1/') ? [] : ofRoutes)], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...testEnvironment(), PORTCULLIS_MATRIX: form, PORTCULLIS_MATRIX_PART: part },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
