import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../../config-error.ts'
import { connectToEngine, type EngineConnection } from './engine-connection.ts'
import { isPostgres, postmasterLockFile, readPostmasterLock } from './postmaster-lock.ts'

const patienceMs = 5_000
/** A crash leaves at most a gigabyte of log to replay; while it does, the engine refuses connections. */
const recoveryMs = 300_000
const otherLauncherMs = 2_000

export type RunningEngine = EngineConnection & { pid: number; port: number }

type Adoption = { clusterDir: string; dataDir: string; adminPassword: string; stop: () => Promise<void> }

/** Adopts the engine that a killed process left running; stops one that does not respond. */
export async function adoptEngine({
  clusterDir,
  dataDir,
  adminPassword,
  stop,
}: Adoption): Promise<RunningEngine | undefined> {
  const since = Date.now()
  for (;;) {
    const lock = await readPostmasterLock(clusterDir)
    if (lock === undefined) return undefined
    if (!(await isPostgres(lock.pid))) {
      await rm(postmasterLockFile(clusterDir), { force: true })
      return undefined
    }
    const answer = await connectToEngine(lock.port, adminPassword)
    const waitedMs = Date.now() - since
    if (!('refused' in answer)) {
      if (await answer.isOnlyLauncher()) return { ...answer, ...lock }
      await answer.client.end()
      if (waitedMs > otherLauncherMs) {
        throw new ConfigError(
          `DATA_DIR: ${dataDir} is in use by another running Portcullis: stop it, or set DATA_DIR to another folder.`,
        )
      }
    } else if (waitedMs > (answer.refused === 'not_yet' ? recoveryMs : patienceMs)) {
      await stop()
    }
    await delay(50)
  }
}
