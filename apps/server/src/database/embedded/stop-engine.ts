import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { EngineAccount } from './engine-account.ts'
import { isPostgres, readPostmasterLock } from './postmaster-lock.ts'

const run = promisify(execFile)

type Stopping = { pgCtl: string; clusterDir: string; account: EngineAccount | undefined }

/** Fast shutdown, connections cut and data written; if that takes half a minute, at once: the next start recovers. */
export async function stopEngine({ pgCtl, clusterDir, account }: Stopping): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const settings = ['stop', '--pgdata', clusterDir, '--mode', mode, '--timeout', '30', '--silent']
    // It also fails when there is nothing left to stop; only what runs afterwards counts.
    await run(pgCtl, settings, { ...account, cwd: '/', env: {} }).catch(() => undefined)
    const lock = await readPostmasterLock(clusterDir)
    if (lock === undefined || !(await isPostgres(lock.pid))) return
  }
}
