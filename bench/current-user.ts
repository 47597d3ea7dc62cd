import { parseArgs } from 'node:util'
import { signedInClient } from '@portcullis/client/signed-in-client'
import pg from 'pg'
import { z } from 'zod'
import { startChild } from './child.ts'
import { drive, type Request } from './drive.ts'
import { large } from './fill-world.ts'
import { median } from './median.ts'
import { databaseMs, processMs } from './processor-time.ts'
import { openWorld, operator } from './world.ts'

/**
 * Measures `GET /api/users/me`, the first call of every page: requests a second, and the processor time of server and
 * PostgreSQL for each. A bare server that reads the user by id takes turns with the product:
 *   npm run bench:me -- [--connections 16] [--rounds 5] [--seconds 2] [--accounts 200] [--account region-1]
 */
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '200' },
    account: { type: 'string', default: large },
  },
})
const count = z.coerce.number().int().min(1)
const { connections, rounds, seconds, accounts } = z
  .object({ connections: count, rounds: count, seconds: z.coerce.number().positive(), accounts: count.min(60) })
  .parse(values)
const goalMs = 1.5

const world = await openWorld({ sizes: { events: 1_000, accounts }, dataDir: undefined, report: () => {} })
const stops: (() => Promise<unknown>)[] = [world.stop]
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const owner = new pg.Client(world.bareUrl)
  await owner.connect()
  stops.push(() => owner.end())
  const product = await startServer()
  const bare = await startBare(await idOfOperator(owner))
  const sides = [product, bare]
  const costs: Cost[][] = [[], []]
  for (const side of sides) await side.drive(seconds * 500)
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) costs[index]?.push(await costOf(owner, side))
  }
  print(costs)
}

type Side = { pid: number; drive: (forMs: number) => Promise<number> }
type Cost = { rate: number; serverMs: number; databaseMs: number }

async function costOf(owner: pg.Client, { pid, drive: driveFor }: Side): Promise<Cost> {
  const [server, database, began] = [await processMs(pid), await databaseMs(owner), performance.now()]
  const rate = await driveFor(seconds * 1_000)
  const requests = (rate * (performance.now() - began)) / 1_000
  return {
    rate,
    serverMs: ((await processMs(pid)) - server) / requests,
    databaseMs: ((await databaseMs(owner)) - database) / requests,
  }
}

async function startServer(): Promise<Side> {
  const server = await startChild({
    program: 'apps/server/src/main.ts',
    environment: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: `${world.folder}/server`,
      DATABASE_URL: world.databaseUrl,
      DEMO: 'off',
    },
    readyLine: /Portcullis is ready: (\S+)/,
  })
  stops.push(server.stop)
  const { headers } = await signedInClient({ baseUrl: server.caught, ...operator })
  const request = { path: '/api/users/me', headers: { ...headers, 'x-js-account': values.account } }
  return { pid: server.pid, drive: driving(server.caught, request) }
}

async function startBare(user: string): Promise<Side> {
  const server = await startChild({
    program: 'bench/bare-server.ts',
    settings: [world.bareUrl],
    readyLine: /Bare server: (\S+)/,
  })
  stops.push(server.stop)
  return { pid: server.pid, drive: driving(server.caught, { path: `/user?id=${user}` }) }
}

function driving(url: string, request: Request) {
  const check = (body: unknown) => {
    if (!JSON.stringify(body).includes(operator.email)) throw new Error(`This is not the user: ${JSON.stringify(body)}`)
  }
  return (forMs: number) => drive({ url, connections, forMs, next: () => request, check })
}

async function idOfOperator(owner: pg.Client) {
  const { rows } = await owner.query<{ id: string }>('select person_id as id from person where person_email = $1', [
    operator.email,
  ])
  return rows[0]?.id ?? ''
}

function print([product = [], bare = []]: readonly Cost[][]) {
  const of = (costs: readonly Cost[], value: (cost: Cost) => number) => median(costs.map(value))
  const line = (name: string, value: (cost: Cost) => number, digits: number) => {
    const [productValue, bareValue] = [of(product, value), of(bare, value)]
    const cells = [productValue.toFixed(digits), bareValue.toFixed(digits), (productValue / bareValue).toFixed(2)]
    console.log(name.padEnd(38) + cells.map((cell) => cell.padStart(11)).join(''))
  }
  console.log(`GET /api/users/me, ${connections} connections, ${rounds} rounds of ${seconds} s, in turns:\n`)
  console.log(''.padEnd(38) + ['product', 'bare Node', 'ratio'].map((head) => head.padStart(11)).join(''))
  line('requests a second', ({ rate }) => rate, 0)
  line('processor time of the server, ms', ({ serverMs }) => serverMs, 3)
  line('processor time of PostgreSQL, ms', (cost) => cost.databaseMs, 3)
  line('both, ms', (cost) => cost.serverMs + cost.databaseMs, 3)
  const both = of(product, (cost) => cost.serverMs + cost.databaseMs)
  console.log(`\nGoal: both together at most ${goalMs} ms: ${both <= goalMs ? 'met' : 'missed'}`)
}
