import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signedInClient } from '@portcullis/client/signed-in-client'
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

type Filling = {
  people: number
  units: number
  /** Adds to the policy before the server starts. */
  add?: (owner: pg.Client) => Promise<unknown>
  /** Gets what ends the server and its parts, to be called in reverse. */
  stops: (() => Promise<unknown>)[]
}

/** A server in this process, on a database of its own with a policy of this size. */
export async function startFilledServer({ people, units, add, stops }: Filling) {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-filled-'))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  const engine = await startEmbedded({ dataDir: folder, log: () => {}, purpose: 'tests' })
  stops.push(() => engine.stop())
  const { databaseUrl } = engine
  const secretKey = await openSecretKey(join(folder, 'secret.key'))
  const logins = loginsFrom({ databaseUrl, secretKey })
  await migrate(databaseUrl, { logins })
  const database = new Database({ logins, connections: 4 })
  stops.push(() => database.close())
  await ensureAdministrator(database, { ...administrator, now: new Date() })
  const owner = new pg.Client(Object.assign(new URL(engine.adminUrl), { pathname: new URL(databaseUrl).pathname }).href)
  await owner.connect()
  stops.push(() => owner.end())
  await fillPolicy(owner, { people, units })
  await add?.(owner)
  const environment = { DATA_DIR: folder, DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  const { app, stop } = await startServer(readConfig(environment), () => {})
  stops.push(stop)
  const { port } = z.object({ port: z.int() }).parse(app.server.address())
  const { client } = await signedInClient({ baseUrl: `http://127.0.0.1:${port}`, ...administrator })
  return { owner, database, databaseUrl, secretKey, client, startController }

  /** The controller of one of the units, which are numbered from 1, enrolled. */
  async function startController(number: number, unit: string) {
    const url = `ws://127.0.0.1:${port}${unitsPath}`
    const controller = new VirtualUnit({
      dir: join(folder, `unit-${number}`),
      serial: serialOf(number),
      model: 'V2',
      url,
    })
    await controller.start()
    stops.push(() => controller.stop())
    await controller.enrol((await database.asSystem((tx) => issueEnrolmentCode(tx, unit))).code)
    return controller
  }
}

/** Waits until every tree's configurations are as new as its policy. */
export async function compiled(owner: pg.Client) {
  for (;;) {
    const { rowCount } = await owner.query('select from policy where policy_compiled_version < policy_version')
    const { rowCount: missing } = await owner.query(
      'select from unit_secret where not exists (select from unit_config where unit_config_unit = unit_secret_unit)',
    )
    if (rowCount === 0 && missing === 0) return
    await delay(200)
  }
}
