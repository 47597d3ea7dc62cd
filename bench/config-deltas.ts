import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { rules } from '@portcullis/contract/collections/rules'
import { unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import pg from 'pg'
import { z } from 'zod'
import { readConfig } from '../apps/server/src/config.ts'
import { Database } from '../apps/server/src/database/database.ts'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { loginsFrom } from '../apps/server/src/database/logins.ts'
import { migrate } from '../apps/server/src/database/migrate.ts'
import { ensureAdministrator } from '../apps/server/src/first-administrator.ts'
import { openSecretKey } from '../apps/server/src/secret-key.ts'
import { startServer } from '../apps/server/src/start-server.ts'
import { issueEnrolmentCode } from '../apps/server/src/units/enrol.ts'
import { administrator } from '../e2e/administrator.ts'
import { fillPolicy, serialOf } from './fill-policy.ts'
import { median } from './median.ts'

/**
 * Measures one rule change of a controller with many credentials, as a delta and as a whole configuration: the bytes of
 * the configuration frames, and the time from the answer until the controller has applied the change.
 *   node bench/config-deltas.ts [credentials] [changes]
 */
const [people = 50_000, changes = 5] = process.argv.slice(2).map(Number)

const placeRow = z.object({ unit: z.uuid(), rule: z.uuid() })
const sizeRow = z.object({ body: z.int(), delta: z.int().nullable() })

const folder = await mkdtemp(join(tmpdir(), 'portcullis-deltas-'))
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const engine = await startEmbedded({ dataDir: folder, log: () => {}, purpose: 'tests' })
  stops.push(() => engine.stop())
  const { databaseUrl } = engine
  const logins = loginsFrom({ databaseUrl, secretKey: await openSecretKey(join(folder, 'secret.key')) })
  await migrate(databaseUrl, { logins })
  const database = new Database({ logins, connections: 4 })
  stops.push(() => database.close())
  await ensureAdministrator(database, { ...administrator, now: new Date() })
  const owner = new pg.Client(Object.assign(new URL(engine.adminUrl), { pathname: new URL(databaseUrl).pathname }).href)
  await owner.connect()
  stops.push(() => owner.end())
  await fillPolicy(owner, { people, units: 1 })
  const { unit, rule } = placeRow.parse((await owner.query('select unit, rule from place')).rows[0])
  const environment = { DATA_DIR: folder, DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  const { app, stop } = await startServer(readConfig(environment), () => {})
  stops.push(stop)
  const { port } = z.object({ port: z.int() }).parse(app.server.address())
  const { client } = await signedInClient({ baseUrl: `http://127.0.0.1:${port}`, ...administrator })
  const controller = new VirtualUnit({
    dir: join(folder, 'unit'),
    serial: serialOf(1),
    model: 'V2',
    url: `ws://127.0.0.1:${port}${unitsPath}`,
  })
  await controller.start()
  stops.push(() => controller.stop())
  await controller.enrol((await database.asSystem((tx) => issueEnrolmentCode(tx, unit))).code)
  while (applied() === 0) await delay(50)

  let direction: 'entry' | 'both' = 'both'
  for (const as of ['delta', 'whole'] as const) {
    await owner.query('update unit_state set unit_state_takes_deltas = $1', [as === 'delta'])
    const waits: number[] = []
    for (let change = 0; change < changes; change += 1) {
      const version = applied()
      direction = direction === 'both' ? 'entry' : 'both'
      await client.of(rules).patch(rule, { direction })
      const answered = performance.now()
      while (applied() === version) await delay(1)
      waits.push(performance.now() - answered)
    }
    const { rows } = await owner.query(`select octet_length(unit_config_body) as body,
      octet_length(unit_config_delta) as delta from unit_config order by unit_config_version desc limit 1`)
    const { body, delta } = sizeRow.parse(rows[0])
    console.log(`as ${as}: ${delta ?? body} bytes, answer to applied p50 ${median(waits).toFixed(0)} ms`)
  }

  function applied() {
    return controller.state().running?.appliedVersion ?? 0
  }
}
