import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@portcullis/client/client'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { users } from '@portcullis/contract/collections/users'
import pg from 'pg'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { administrator } from '../e2e/administrator.ts'
import { startChild } from './child.ts'
import { median, quantile } from './median.ts'
import { pause, watchAs } from './watched-person.ts'

/**
 * Measures how long a revoked right can still be used. A user reads and listens on two servers with one database, under a
 * steady stream of changes. Their rights then end in one of five ways. The times run from the request that ends the rights,
 * and from its answer, to the last byte received by REST and by socket.
 *   node bench/revocation.ts [revocations]
 */
const total = Number(process.argv[2] ?? 200)
const limitMs = 1_000
const changesPerSecond = 40
/** The bench watches for this many milliseconds more, to be sure that nothing else arrives. */
const quietMs = 150

const folder = await mkdtemp(join(tmpdir(), 'portcullis-revocation-'))
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const engine = await startEmbedded({ dataDir: folder, log: () => {} })
  stops.push(() => engine.stop())
  const first = await startServer('one', engine.databaseUrl)
  const urls = [first, await startServer('two', engine.databaseUrl)]
  const owner = new pg.Client(
    Object.assign(new URL(engine.adminUrl), { pathname: new URL(engine.databaseUrl).pathname }).href,
  )
  await owner.connect()
  stops.push(() => owner.end())
  const { headers } = await signedInClient({ baseUrl: first, ...administrator })
  const inside = (account: string) => createClient({ baseUrl: first, account: () => account, headers: () => headers })
  const add = async (ref: string, above: string) =>
    (await inside(above).of(accounts).create({ name: ref, ref, defaultTimeZone: 'UTC' }))._id
  await add('top', 'main')
  const left = await add('left', 'top')
  const right = await add('correct', 'top')
  const branch = await add('branch', 'left')
  const site = await inside('branch').of(sites).create({ name: 'Quay', timeZone: 'UTC' })
  const traffic = makeTraffic(() =>
    inside('branch')
      .of(sites)
      .patch(site._id, { address: `${performance.now()}` }),
  )

  const email = 'somebody@portcullis.example'
  const password = 'waits for the last ferry'
  const member = { name: 'Unknown user', email, role: 'admin', password, verified: true } as const
  const { _id: person } = await inside('left').of(users).create(member)
  const patch = (changes: { role?: 'admin' | 'appUser'; status?: 'active' | 'suspended' }) =>
    inside('left').of(users).patch(person, changes)

  const ways = [
    {
      name: 'membership removed',
      revoke: () => owner.query('delete from membership where membership_user = $1', [person]),
      undo: () =>
        owner.query(
          `insert into membership (membership_user, membership_account, membership_role)
           select $1, account_key, 'admin' from account where account_ref = 'left'`,
          [person],
        ),
    },
    { name: 'role lowered', revoke: () => patch({ role: 'appUser' }), undo: () => patch({ role: 'admin' }) },
    {
      name: 'session ended',
      revoke: (own: Record<string, string>) => {
        const headers = { ...own, 'x-js-account': 'null' }
        return fetch(`${first}/api/auth/logout`, { method: 'POST', headers })
      },
      undo: () => Promise.resolve(),
    },
    { name: 'person suspended', revoke: () => patch({ status: 'suspended' }), undo: () => patch({ status: 'active' }) },
    {
      name: 'account moved away',
      revoke: () => inside('top').accounts.move({ account: branch, parent: right }),
      undo: () => inside('top').accounts.move({ account: branch, parent: left }),
    },
  ]
  const samples = new Map<string, Sample[]>(ways.map(({ name }) => [name, []]))
  let own = (await signedInClient({ baseUrl: first, email, password })).headers
  for (let round = 0; round < total; round += 1) {
    const way = ways[round % ways.length]
    if (!way) break
    const watched = await watchAs({ urls, account: 'branch', headers: own })
    await watched.isServed()
    await pause(Math.random() * 100)
    const requestedAt = performance.now()
    await way.revoke(own)
    const answered = performance.now()
    await watched.isRefused()
    // Waits for further changes: only their messages can show that the user receives no more.
    const until = traffic.made() + 3
    await pause(quietMs)
    while (traffic.made() < until) await pause(10)
    await watched.stop()
    samples.get(way.name)?.push(sampleOf({ ...watched, requestedAt, answered }))
    await way.undo()
    if (way.name === 'session ended' || way.name === 'person suspended') {
      own = (await signedInClient({ baseUrl: first, email, password })).headers
    }
  }
  await traffic.end()
  print(samples)
}

async function startServer(name: string, databaseUrl: string) {
  const server = await startChild({
    program: 'apps/server/src/main.ts',
    environment: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, name),
      SECRET_KEY_FILE: join(folder, 'secret.key'),
      DATABASE_URL: databaseUrl,
      DEMO: 'off',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    },
    readyLine: /Portcullis is ready: (\S+)/,
  })
  stops.push(server.stop)
  return server.caught
}

type Sample = {
  restRequested: number
  restAnswered: number
  socketRequested: number
  socketAnswered: number
  notified: number
}
type Taken = {
  last: { rest: number; socket: number }
  notified: ReadonlyMap<string, number>
  requestedAt: number
  answered: number
}

/** Bytes that arrived before the moment took no time after it. */
function sampleOf({ last, notified, requestedAt, answered }: Taken): Sample {
  return {
    restRequested: Math.max(0, last.rest - requestedAt),
    restAnswered: Math.max(0, last.rest - answered),
    socketRequested: Math.max(0, last.socket - requestedAt),
    socketAnswered: Math.max(0, last.socket - answered),
    notified: Math.max(0, Math.max(...notified.values()) - answered),
  }
}

function makeTraffic(change: () => Promise<unknown>) {
  let made = 0
  let isOver = false
  const once = () =>
    change().then(
      () => (made += 1),
      // A change can fail while the account is moved; it does not count.
      () => 0,
    )
  const running = (async () => {
    while (!isOver) await Promise.all([once(), pause(1_000 / changesPerSecond)])
  })()
  return {
    made: () => made,
    async end() {
      isOver = true
      await running
    },
  }
}

function print(samples: ReadonlyMap<string, readonly Sample[]>) {
  const all = [...samples.values()].flat()
  console.log(
    `From a right revoked to the last byte delivered, ${all.length} times, two servers, ms (p50 / p99 / worst):`,
  )
  const heads = ['', 'REST: from request', 'from answer', 'socket: from request', 'from answer', 'notice, from answer']
  const lines = [...samples, ['all', all] as const].map(([name, own]) => [
    name,
    ...(['restRequested', 'restAnswered', 'socketRequested', 'socketAnswered', 'notified'] as const).map((key) =>
      spread(own.map((sample) => sample[key])),
    ),
  ])
  for (const cells of [heads, ...lines]) {
    console.log(cells.map((cell, column) => (column === 0 ? cell.padEnd(20) : cell.padStart(21))).join(''))
  }
  const worst = all.map((sample) => Math.max(sample.restAnswered, sample.socketAnswered))
  const p99 = quantile(worst, 0.99)
  console.log(`p99 of both: ${p99.toFixed(0)} ms (goal under ${limitMs}: ${p99 < limitMs ? 'met' : 'MISSED'})`)
}

function spread(values: readonly number[]) {
  return [median(values), quantile(values, 0.99), Math.max(...values)].map((value) => value.toFixed(0)).join(' / ')
}
