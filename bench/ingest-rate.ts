import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@portcullis/client/client'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { rules } from '@portcullis/contract/collections/rules'
import pg from 'pg'
import { z } from 'zod'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { administrator } from '../e2e/administrator.ts'
import { atSteadyRate, type Measured, measureBareIngest } from './bare-ingest.ts'
import { startChild } from './child.ts'
import { closedLoop } from './drive.ts'
import { fillIngestWorld } from './ingest-world.ts'
import { median, quantile } from './median.ts'
import { databaseMs, processMs } from './processor-time.ts'
import { connectUnit, type SendingUnit } from './sending-unit.ts'

/**
 * Measures how many events of controllers a server stores durably, and how long a frame waits for its acknowledgement. The
 * first run is as fast as possible: each unit sends its next frame when the last was acknowledged. For comparison `pg`
 * alone inserts the same rows, in transactions of the same size. The second run has a constant rate. The bench counts the
 * events in the database and fails unless each is stored once:
 *   npm run bench:ingest -- [--units 50] [--per-frame 20] [--seconds 30] [--rate 5000]
 *     [--edits 10]   changes of the policy a second, meanwhile; 0 for none
 */
const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '50' },
    'per-frame': { type: 'string', default: '20' },
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '5000' },
    edits: { type: 'string', default: '10' },
  },
})
const count = z.coerce.number().int().min(1)
const options = z
  .object({
    units: count.max(200),
    'per-frame': count.max(500),
    seconds: z.coerce.number().positive(),
    rate: count,
    edits: z.coerce.number().min(0),
  })
  .parse(values)
const { units, seconds, rate, edits, 'per-frame': perFrame } = options
const goalMs = 200

const folder = await mkdtemp(join(tmpdir(), 'portcullis-ingest-'))
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const engine = await startEmbedded({ dataDir: folder, log: () => {} })
  stops.push(() => engine.stop())
  const bareUrl = Object.assign(new URL(engine.adminUrl), { pathname: new URL(engine.databaseUrl).pathname }).href
  const server = await startServer(engine.databaseUrl)
  const owner = new pg.Client(bareUrl)
  await owner.connect()
  stops.push(() => owner.end())
  const world = await fillIngestWorld(owner, { units })
  await untilCompiled(owner)
  const connected = await Promise.all(world.units.map((unit) => connectUnit(server.caught, unit)))
  stops.push(() => Promise.all(connected.map((unit) => unit.stop())))
  await asFastAsPossible(connected, 2_000)

  const measure = async (work: () => Promise<unknown>) => {
    for (const { waits } of connected) waits.length = 0
    const [stored, began] = [await storedEvents(owner), performance.now()]
    const [serverBefore, databaseBefore] = [await processMs(server.pid), await databaseMs(owner)]
    const editing = startEdits(server.caught, world.rule)
    const commits = await startCommits(bareUrl)
    let tookMs = Number.NaN
    try {
      await work()
      tookMs = performance.now() - began
    } finally {
      await Promise.all([editing.stop(), commits.stop()])
    }
    const [serverMs, dbMs] = [(await processMs(server.pid)) - serverBefore, (await databaseMs(owner)) - databaseBefore]
    const events = (await storedEvents(owner)) - stored
    const waits = connected.flatMap((unit) => unit.waits)
    return {
      rate: (events * 1_000) / tookMs,
      serverMs: serverMs / events,
      databaseMs: dbMs / events,
      waits,
      edited: editing.edited,
      commits: commits.waits,
    }
  }
  const bare = await measureBareIngest({
    connectionString: bareUrl,
    owner,
    units,
    perFrame,
    rate,
    forMs: (seconds * 1_000) / 3,
  })
  const fastest = await measure(() => asFastAsPossible(connected, seconds * 1_000))
  const send = async (sender: number) => connected[sender]?.sendEvents(perFrame)
  const steady = await measure(() =>
    atSteadyRate({ senders: connected.length, perFrame, rate, forMs: seconds * 1_000, send }),
  )
  await assertStoredOnce(owner, connected)
  print({ bare, fastest, steady })
}

function startServer(databaseUrl: string) {
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    DEMO: 'off',
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: databaseUrl,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    ...(process.env['BENCH_NODE_OPTIONS'] ? { NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'] } : {}),
  }
  return startChild({ program: 'apps/server/src/main.ts', environment, readyLine: /Portcullis is ready: (\S+)/ }).then(
    (server) => {
      stops.push(server.stop)
      return server
    },
  )
}

async function untilCompiled(owner: pg.Client) {
  for (;;) {
    const { rows } = await owner.query('select from unit_state where unit_state_desired_version is null')
    if (rows.length === 0) return
    await delay(100)
  }
}

async function asFastAsPossible(connected: readonly SendingUnit[], forMs: number) {
  await closedLoop({
    connections: connected.length,
    forMs,
    once: async (index) => connected[index]?.sendEvents(perFrame),
  })
}

/** Renames a rule repeatedly, at the requested rate. */
function startEdits(baseUrl: string, rule: string) {
  let isOver = false
  let edited = 0
  const editing = (async () => {
    if (edits === 0) return
    const { headers } = await signedInClient({ baseUrl, ...administrator })
    const client = createClient({ baseUrl, account: () => 'main', headers: () => headers }).of(rules)
    while (!isOver) {
      const next = delay(1_000 / edits)
      edited += 1
      await client.patch(rule, { name: `Pickers, edit ${edited}` })
      await next
    }
  })()
  return {
    async stop() {
      isOver = true
      await editing
    },
    get edited() {
      return edited
    },
  }
}

/** Commits one row every 20 ms with `pg` alone: no server can acknowledge a frame before the disk has the commit. */
async function startCommits(connectionString: string) {
  const client = new pg.Client(connectionString)
  await client.connect()
  await client.query('create table if not exists bench_commit (at timestamptz)')
  const waits: number[] = []
  let isOver = false
  const committing = (async () => {
    while (!isOver) {
      const since = performance.now()
      await client.query('insert into bench_commit values (now())')
      waits.push(performance.now() - since)
      await delay(20)
    }
  })()
  return {
    waits,
    async stop() {
      isOver = true
      await committing
      await client.end()
    },
  }
}

async function storedEvents(owner: pg.Client) {
  const { rows } = await owner.query<{ count: number }>(
    'select count(*)::int as count from event where event_log is not null',
  )
  return rows[0]?.count ?? 0
}

async function assertStoredOnce(owner: pg.Client, connected: readonly SendingUnit[]) {
  const sent = connected.reduce((sum, unit) => sum + unit.sent, 0)
  const { rows } = await owner.query<{ stored: number; different: number }>(
    `select count(*)::int as stored, count(distinct (event_log, event_seq))::int as different
       from event where event_log is not null`,
  )
  const [{ stored, different } = { stored: 0, different: 0 }] = rows
  if (stored !== sent || different !== sent)
    throw new Error(`Events were lost or stored twice: ${sent} sent, ${stored} stored, ${different} different.`)
}

function print({
  bare,
  fastest,
  steady,
}: {
  bare: { fastest: Measured; steady: Measured }
  fastest: Measured
  steady: Measured
}) {
  console.log(
    `${units} units, frames of ${perFrame} events, ${seconds} s each, ${edits} edits of the policy a second:\n`,
  )
  const line = (name: string, ...cells: string[]) =>
    console.log(name.padEnd(40) + cells.map((cell) => cell.padStart(20)).join(''))
  const runs = [bare.fastest, bare.steady, fastest, steady]
  const of = (digits: number, value: (measured: Measured) => number) =>
    runs.map((measured) => value(measured).toFixed(digits))
  line('', 'pg alone', `pg alone at ${rate}/s`, 'as fast as it is', `${rate}/s sent`)
  line('durable events a second', ...of(0, (measured) => measured.rate))
  line('of the rate of pg alone', ...of(2, (measured) => measured.rate / bare.fastest.rate))
  line('processor time of the client or server', ...of(3, (measured) => measured.serverMs))
  line('of PostgreSQL, both in ms an event', ...of(3, (measured) => measured.databaseMs))
  const waits = (name: string, value: (waits: readonly number[]) => number) =>
    line(name, ...runs.map((measured) => `${value(measured.waits).toFixed(0)} ms`))
  waits('wait of a frame, median', median)
  waits('wait of a frame, p99', (all) => quantile(all, 0.99))
  waits('longest wait', longestOf)
  line(
    'longest commit of one row by pg alone',
    ...runs.map(({ commits }) => (commits.length > 0 ? `${longestOf(commits).toFixed(0)} ms` : '')),
  )
  line('edits made', ...runs.map((measured) => `${measured.edited}`))
  console.log(`\nEach event is stored exactly once.`)
  console.log(
    `Goal: ${rate} events a second, no frame waits more than ${goalMs} ms: ${isMet(steady) ? 'met' : 'missed'}. ` +
      `Meanwhile pg alone waited up to ${longestOf(steady.commits).toFixed(0)} ms for the commit of one row.`,
  )
}

function longestOf(waits: readonly number[]) {
  return waits.reduce((longest, wait) => Math.max(longest, wait), 0)
}

function isMet({ rate: reached, waits }: Measured) {
  return Math.round(reached) >= rate * 0.995 && longestOf(waits) <= goalMs
}
