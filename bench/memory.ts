import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const everyMs = 20

/** Watches a process's resident memory; `risen` returns its maximum rise in megabytes and ends the watch. */
export async function watchMemory(pid: number) {
  const idle = await memoryOf(pid)
  let highest = idle
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      await delay(everyMs)
      highest = Math.max(highest, await memoryOf(pid))
    }
  })()
  return {
    async risen() {
      isOver = true
      await watching
      return highest - idle
    },
  }
}

async function memoryOf(pid: number) {
  const file = `/proc/${pid}/status`
  const kilobytes = existsSync(file)
    ? /VmRSS:\s*(\d+)/.exec(await readFile(file, 'utf8'))?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
  return Number(kilobytes) / 1_024
}

const run = promisify(execFile)
