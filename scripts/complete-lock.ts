import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFaults, parseLock, withoutFaults } from './lock-faults.ts'

/**
 * Removes the entries of package-lock.json without an integrity hash and has npm add them and missing packages again.
 * With the argument `check` it only lists the faults.
 */
const root = join(import.meta.dirname, '..')
const file = join(root, 'package-lock.json')

if (process.argv[2] !== 'check') {
  await writeFile(file, `${JSON.stringify(withoutFaults(await readLock()), null, 2)}\n`)
  const args = ['install', '--package-lock-only', '--ignore-scripts']
  spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}
const faults = findFaults(await readLock())
for (const fault of faults) console.error(`package-lock.json: ${fault}. Run npm run complete-lock.`)
if (faults.length > 0) process.exitCode = 1

async function readLock() {
  return parseLock(JSON.parse(await readFile(file, 'utf8')))
}
