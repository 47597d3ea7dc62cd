import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { conformUnit } from './conform-unit.ts'

const example = join(import.meta.dirname, '../../../../examples/unit.py')
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

// A machine without Python has only the other implementation to test.
test.skipIf(!hasPython)('the example in Python conforms', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'example-unit-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const findings = await conformUnit({
    onReady: ({ url, code }) => {
      const unit = spawn('python3', ['-B', example, '--url', url, '--code', code, '--data', dir], {
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      onTestFinished(() => void unit.kill('SIGKILL'))
    },
  })
  expect(findings.filter(({ fault }) => fault !== null)).toEqual([])
  expect(findings.length).toBeGreaterThan(21)
  // Its hello announces neither deltas nor blocking.
  expect(findings.filter(({ skipped }) => skipped !== undefined)).toHaveLength(6)
})
