import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type PostmasterLock = { pid: number; port: number }

/** Reads `postmaster.pid` of the running or crashed engine: line 1 is its process, line 4 its port. */
export async function readPostmasterLock(clusterDir: string): Promise<PostmasterLock | undefined> {
  const text = await readFile(postmasterLockFile(clusterDir), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return { pid: Number(lines[0]) || 0, port: Number(lines[3]) || 0 }
}

export function postmasterLockFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid')
}

/** After a crash the process id may belong to another program, or to a zombie process. */
export async function isPostgres(pid: number): Promise<boolean> {
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  if (process.platform === 'win32') return true
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await run('ps', ['-o', 'command=', '-p', String(pid)]).then(
          ({ stdout }) => stdout,
          () => '',
        )
  return command.includes('postgres')
}
