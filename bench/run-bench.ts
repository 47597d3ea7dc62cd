import { signedInClient } from '@portcullis/client/signed-in-client'
import { startChild } from './child.ts'
import { measureExports } from './export-rows.ts'
import { large } from './fill-world.ts'
import { measureFanOut } from './fan-out.ts'
import { measurements } from './measurements.ts'
import type { Row } from './print-table.ts'
import { measureThroughput, type Pace } from './throughput.ts'
import { openWorld, type Sizes, operator } from './world.ts'

type RunBenchInput = Sizes &
  Pace & { sockets: number; dataDir?: string | undefined; only?: string; report: (sentence: string) => void }

/** Opens the world, starts both servers, runs the measurements one after another, and returns the rows of the table. */
export async function runBench({ dataDir, only = '', report, ...sizes }: RunBenchInput): Promise<Row[]> {
  const { events, accounts, sockets, connections, rounds, seconds } = sizes
  const world = await openWorld({ sizes: { events, accounts }, dataDir, report })
  const stops = [world.stop]
  try {
    const [product, bare] = [await startProduct(), await startBare()]
    const peers = { pace: { connections, rounds, seconds }, product, bare, databaseUrl: world.bareUrl }
    const table: Row[] = []
    for (const measurement of measurements(world)) {
      if (measurement.name.includes(only)) take(await measureThroughput(measurement, peers))
    }
    if ('export'.includes(only)) {
      const path = `/all?account=${world.account}`
      const input = { rows: world.counts.exported, rounds, product, bare: { ...bare, path } }
      for await (const row of measureExports(input)) take(row)
    }
    if ('save to sockets'.includes(only)) for (const row of await fanOut()) take(row)
    return table

    function take(row: Row) {
      report(row.name)
      table.push(row)
    }

    function fanOut() {
      const site = world.sites.at(-1) ?? ''
      const patch = (url: string, headers: Record<string, string>) => (name: string) =>
        fetch(url, {
          method: 'PATCH',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        })
      return measureFanOut({
        sockets,
        saves: Math.max(100, rounds * 20),
        product: {
          ...product,
          path: '/primus',
          room: `site:${large}:*`,
          event: 'site:save',
          save: patch(`${product.url}/api/sites/${site}`, product.headers),
        },
        bare: { ...bare, event: 'save', save: patch(`${bare.url}/patch?id=${site}`, {}) },
      })
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }

  async function startProduct() {
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
    return { url: server.caught, pid: server.pid, headers: { ...headers, 'x-js-account': large } }
  }

  async function startBare() {
    const server = await startChild({
      program: 'bench/bare-server.ts',
      settings: [world.bareUrl],
      readyLine: /Bare server: (\S+)/,
    })
    stops.push(server.stop)
    return { url: server.caught, pid: server.pid }
  }
}
