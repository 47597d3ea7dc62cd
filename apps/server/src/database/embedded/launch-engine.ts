import { spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../../config-error.ts'
import type { EngineAccount } from './engine-account.ts'
import { connectToEngine } from './engine-connection.ts'
import type { RunningEngine } from './adopt-engine.ts'

const patienceMs = 5_000
const largestLogBytes = 10_000_000

type Launch = {
  postgres: string
  home: string
  clusterDir: string
  adminPassword: string
  account: EngineAccount | undefined
  settings: Record<string, string>
  /** The port that clients already use; by default any free one. */
  port?: number | undefined
}

/**
 * Starts the engine and waits until it responds. Retries after a lost race for a port, or while a killed engine still
 * ends.
 */
export async function launchEngine(launch: Launch): Promise<RunningEngine> {
  const since = Date.now()
  for (;;) {
    const outcome = await tryToLaunch(launch, launch.port ?? (await freePort()))
    if (!('failure' in outcome)) return outcome
    if (!isTransient(outcome.failure) || Date.now() - since > patienceMs) {
      throw new ConfigError(
        `DATA_DIR: the database in ${launch.clusterDir} does not start (${outcome.failure}): its log is ${join(launch.home, 'postgres.log')}.`,
      )
    }
    await delay(100)
  }
}

/** Transient failures: another process took the port, or children of a killed engine still hold its memory. */
function isTransient(failure: string): boolean {
  return /TCP\/IP socket|Address already in use|pre-existing shared memory|postmaster\.pid/.test(failure)
}

async function tryToLaunch(launch: Launch, port: number): Promise<RunningEngine | { failure: string }> {
  const { postgres, home, clusterDir, adminPassword, account, settings } = launch
  const logFile = join(home, 'postgres.log')
  await keepLogSmall(logFile)
  const logStart = await stat(logFile).then(
    ({ size }) => size,
    () => 0,
  )
  const log = openSync(logFile, 'a', 0o600)
  // The owner of the folder may start the server without root next time.
  if (account !== undefined) fchownSync(log, (await stat(home)).uid, (await stat(home)).gid)
  const options = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // Its own process group: Ctrl-C in the terminal reaches only the server, which ends the engine last.
  const engine = spawn(postgres, ['-D', clusterDir, ...options], {
    ...account,
    cwd: '/',
    env: { TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let ended: string | undefined
  engine.once('error', (error) => (ended = error.message))
  engine.once('exit', (code, signal) => (ended ??= `it ended with ${signal ?? code}`))
  engine.unref()

  while (ended === undefined) {
    const answer = await connectToEngine(port, adminPassword)
    if ('refused' in answer) {
      await delay(20)
      continue
    }
    if (engine.pid !== undefined && (await answer.isOnlyLauncher())) return { ...answer, pid: engine.pid, port }
    await answer.client.end()
  }
  const written = (await readFile(logFile)).subarray(logStart).toString()
  const errors = written.split('\n').filter((line) => /FATAL|PANIC|could not|pre-existing|lock file/.test(line))
  return { failure: errors.join(' ').trim() || ended }
}

async function keepLogSmall(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (file) => file.size,
    () => 0,
  )
  if (size > largestLogBytes) await rename(logFile, `${logFile}.1`)
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() =>
      typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
    )
  })
  return promise
}
