import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { events } from '@portcullis/contract/collections/events'
import { exportFormats } from '@portcullis/contract/export-request'
import { storeEvents } from '../apps/server/src/collections/test-events.ts'
import { Database } from '../apps/server/src/database/database.ts'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'

/**
 * How long all pages of the events list take as a file, and how far the server's memory rises meanwhile.
 *   node bench/export.ts [events]
 */
const count = Number(process.argv[2] ?? 100_000)
const administrator = { email: 'admin@portcullis.example', password: 'a gate that only opens inward' }
const columns = [
  'occurredAt',
  'type',
  'severity',
  'outcome',
  'reason',
  'site',
  'door',
  'user',
  'direction',
  'receivedAt',
]

const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-bench-'))
const engine = await startEmbedded({ dataDir, log: () => {} })
const server = spawn(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts')], {
  env: {
    PATH: process.env['PATH'],
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: join(dataDir, 'server'),
    DATABASE_URL: engine.databaseUrl,
    DEMO: 'off',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { client } = await signedInClient({ baseUrl: await readyAt(), ...administrator, account: () => 'main' })
  const database = new Database({ databaseUrl: engine.databaseUrl, connections: 1 })
  // The first account of an installation has the first key.
  await storeEvents(database, { account: 1, count })
  await database.close()

  for (const format of exportFormats) {
    await size(await client.of(events).export({ format, columns, filter: { outcome: 'denied' } }))
    const idle = memoryMb()
    let highest = idle
    const ended = new AbortController()
    const watching = watchMemory(ended.signal, (mb) => (highest = Math.max(highest, mb)))
    const began = performance.now()
    const megabytes = (await size(await client.of(events).export({ format, columns }))) / 1e6
    const seconds = (performance.now() - began) / 1_000
    ended.abort()
    await watching
    console.log(
      `${format}: ${count} rows, ${megabytes.toFixed(1)} MB in ${seconds.toFixed(2)} s, ${(highest - idle).toFixed(0)} MB above ${idle.toFixed(0)} MB`,
    )
  }
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  await engine.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function readyAt() {
  for await (const line of createInterface(server.stdout)) {
    const [, url] = /Portcullis is ready: (\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('The server ended before it was ready.')
}

async function size({ response }: { response: Response }) {
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return bytes
}

async function watchMemory(signal: AbortSignal, onSample: (mb: number) => void) {
  while (!signal.aborted) {
    onSample(memoryMb())
    await delay(100)
  }
}

function memoryMb() {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${server.pid}`]).toString()) / 1_024
}
