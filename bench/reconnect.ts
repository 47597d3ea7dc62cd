import { Agent } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { signText } from '@portcullis/controllers/keys'
import { noFaults, UnitLink } from '@portcullis/controllers/unit-link'
import pg from 'pg'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { startChild } from './child.ts'
import { type EnrolledUnit, fillIngestWorld } from './ingest-world.ts'
import { median, quantile } from './median.ts'
import { processMs } from './processor-time.ts'

/**
 * Measures how long an estate takes to be connected again after its server was killed: from the start of the next server
 * until each controller is welcomed and has confirmed its configuration. The controllers reconnect as the virtual ones do.
 *   node bench/reconnect.ts [controllers]
 */
const count = Number(process.argv[2] ?? 5_000)
const goalSeconds = 45
/** These share an address: the server limits connections that have not introduced themselves by network. */
const controllersOfSite = 100
/** The controllers run no commands, so a constant nonce is enough. */
const nonce = Buffer.alloc(16).toString('base64')

const folder = await mkdtemp(join(tmpdir(), 'portcullis-reconnect-'))
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const engine = await startEmbedded({ dataDir: folder, log: () => {} })
  stops.push(() => engine.stop())
  const first = await startServer(engine.databaseUrl)
  const bareUrl = Object.assign(new URL(engine.adminUrl), { pathname: new URL(engine.databaseUrl).pathname }).href
  const owner = new pg.Client(bareUrl)
  await owner.connect()
  stops.push(() => owner.end())
  const world = await fillIngestWorld(owner, { units: count, cards: 50 })
  const { rows } = await owner.query('select from unit_secret')
  while ((await owner.query('select from unit_config')).rows.length < rows.length) await delay(500)

  const connectedAt = new Map<string, number>()
  const links = world.units.map((unit, at) => {
    const agent = new Agent({ localAddress: `127.0.${1 + Math.floor(at / controllersOfSite)}.1` })
    return connect(first.caught, { unit, agent, connectedAt })
  })
  stops.push(async () => links.forEach((link) => link.stop()))
  await everyUnit(connectedAt)

  process.kill(first.pid, 'SIGKILL')
  connectedAt.clear()
  const began = performance.now()
  const server = await startServer(engine.databaseUrl, new URL(first.caught).port)
  stops.push(() => server.stop())
  const startedMs = performance.now() - began
  await everyUnit(connectedAt)
  const times = [...connectedAt.values()].map((at) => at - began)
  const last = Math.max(...times) / 1_000
  const seconds = (share: number) => (quantile(times, share) / 1_000).toFixed(1)
  console.log(`${count} controllers after the server was killed, from the start of the next one:`)
  console.log(
    `  server ready ${(startedMs / 1_000).toFixed(1)} s; connected p50 ${(median(times) / 1_000).toFixed(1)} s, p99 ${seconds(0.99)} s`,
  )
  console.log(`  all ${last.toFixed(1)} s (goal ${goalSeconds} s) ${last <= goalSeconds ? 'met' : 'MISSED'}`)
  console.log(`  server ${((await processMs(server.pid)) / count).toFixed(2)} ms of processor time for each`)
}

async function everyUnit(connectedAt: ReadonlyMap<string, number>) {
  while (connectedAt.size < count) await delay(20)
}

function startServer(databaseUrl: string, port = '0') {
  return startChild({
    program: 'apps/server/src/main.ts',
    environment: { PORT: port, HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' },
    readyLine: /Portcullis is ready: (\S+)/,
  })
}

type Connect = { unit: EnrolledUnit; agent: Agent; connectedAt: Map<string, number> }

/** One controller, which reads no more of its configuration than its version and hash. */
function connect(url: string, { unit: { unit, serial, privateKey }, agent, connectedAt }: Connect) {
  let applied: { version: number; hash: string } | null = null
  const link = new UnitLink({
    url: `${url.replace('http', 'ws')}/units`,
    agent,
    faults: () => noFaults,
    onFrame: receive,
    onDisconnect() {},
    onFailure() {},
  })
  link.start()
  return link

  function receive(frame: ServerFrame) {
    if (frame.type === 'challenge') {
      const signature = signText(privateKey, helloText({ nonce: frame.nonce, unit }))
      const highestVersion = applied?.version ?? 0
      const at = new Date().toISOString()
      link.send({ type: 'hello', unit, serial, signature, nonce, applied, highestVersion, at })
    }
    if (frame.type === 'welcome') {
      link.settled()
      if (applied) connectedAt.set(unit, performance.now())
    }
    if (frame.type === 'config') {
      applied = { version: frame.version, hash: frame.hash }
      link.send({ type: 'configApplied', ...applied })
      connectedAt.set(unit, performance.now())
    }
  }
}
