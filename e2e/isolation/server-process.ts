import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readCredentials } from '@portcullis/server/database/embedded/cluster-home'
import { readPostmasterLock } from '@portcullis/server/database/embedded/postmaster-lock'
import { serverDatabaseUrl } from '@portcullis/server/database/embedded/start-embedded'
import { loginsFrom } from '@portcullis/server/database/logins'
import { readSecretKey } from '@portcullis/server/secret-key'
import { z } from 'zod'
import { administrator } from '../administrator.ts'
import { openInspector } from './inspector.ts'

const main = join(import.meta.dirname, '../../apps/server/src/main.ts')
/** The log must never contain these: unhandled failures, and answers without a reason. */
const faults = /not handled|unhandled|"code":"internal"|processing a unit frame failed/i

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>

/** The server as a separate process with an embedded PostgreSQL, its memory and its log. */
export async function startServerProcess() {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-isolation-'))
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killOnExit = () => child.kill('SIGKILL')
  process.on('exit', killOnExit)
  const log: string[] = []
  const url = Promise.withResolvers<string>()
  const inspectorUrl = Promise.withResolvers<string>()
  for (const output of [child.stdout, child.stderr]) createInterface(output).on('line', onLine)
  child.once('exit', (code) => url.reject(new Error(`The server ended with ${code}:\n${log.join('\n')}`)))
  const inspector = await openInspector(await inspectorUrl.promise)
  let seen = 0
  return {
    url: await url.promise,
    pid: child.pid ?? 0,
    logins: await loginsIn(dataDir),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    memory: async () => ({ resident: await residentBytes(child.pid ?? 0), heap: await inspector.heapBytes() }),
    /** Time on a processor and time spent waiting for one, since the start of its main thread. */
    processorTimes: () => processorTimes(child.pid ?? 0),
    /** Faults in the log since the last call. */
    newFaults() {
      const lines = log.slice(seen).filter((line) => faults.test(line))
      seen = log.length
      return lines
    },
    log,
    async stop() {
      inspector.close()
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      process.off('exit', killOnExit)
      await removeData(dataDir)
    },
  }

  function onLine(line: string) {
    log.push(line)
    const [, ready] = /Portcullis is ready: (\S+)/.exec(line) ?? []
    if (ready !== undefined) url.resolve(ready)
    const [, listening] = /Debugger listening on (\S+)/.exec(line) ?? []
    if (listening !== undefined) inspectorUrl.resolve(listening)
  }
}

/** Resident memory of a process, on Linux; elsewhere 0, and only the heap is compared. */
async function residentBytes(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(status) ?? []
  return z.coerce.number().catch(0).parse(kilobytes) * 1024
}

/** From Linux's scheduler; elsewhere the server counts as never waiting. */
async function processorTimes(pid: number) {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '1 0 1')
  const [ran = 0, waited = 0] = text.split(' ').map(Number)
  return { ran, waited }
}

async function loginsIn(dataDir: string) {
  const credentials = await readCredentials(join(dataDir, 'postgres'))
  if (!credentials) throw new Error(`${dataDir} holds no database.`)
  const lock = await readPostmasterLock(credentials.clusterDir)
  const databaseUrl = serverDatabaseUrl(lock?.port ?? 0, credentials.serverPassword)
  return loginsFrom({ databaseUrl, secretKey: await readSecretKey(join(dataDir, 'secret.key')) })
}

async function removeData(dataDir: string) {
  const credentials = await readCredentials(join(dataDir, 'postgres'))
  if (credentials) await rm(join(credentials.clusterDir, '..'), { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}
