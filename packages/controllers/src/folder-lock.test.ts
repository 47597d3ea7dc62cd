import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'folder-lock-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true })
})

const modulePath = new URL('folder-lock.ts', import.meta.url).href

/** Another process that locks the folder, and then waits for its end. */
async function lockElsewhere() {
  const program = `import { lockFolder } from ${JSON.stringify(modulePath)}
    globalThis.lock = lockFolder(${JSON.stringify(dir)})
    console.log(lock ? 'locked' : 'refused')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answer: unknown[] = await once(child.stdout, 'data')
  return {
    answer: String(answer[0]).trim(),
    async kill() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

test('one process has the lock of a folder, until it releases it', async () => {
  const lock = lockFolder(dir)
  expect(lock).toBeDefined()
  const refused = await lockElsewhere()
  expect(refused.answer).toBe('refused')
  await refused.kill()
  lock?.release()
  const next = await lockElsewhere()
  expect(next.answer).toBe('locked')
  await next.kill()
})

test('the lock of a killed process is free', async () => {
  const other = await lockElsewhere()
  expect(other.answer).toBe('locked')
  expect(await readdir(dir)).toEqual(['folder~lock'])
  expect(lockFolder(dir)).toBeUndefined()
  await other.kill()
  const lock = lockFolder(dir)
  expect(lock).toBeDefined()
  lock?.release()
})
