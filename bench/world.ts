import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { Database } from '../apps/server/src/database/database.ts'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { type Logins, loginsFrom } from '../apps/server/src/database/logins.ts'
import { migrate } from '../apps/server/src/database/migrate.ts'
import { addMonthlyPartitions } from '../apps/server/src/database/months.ts'
import { ensureAdministrator } from '../apps/server/src/first-administrator.ts'
import { hashPassword } from '../apps/server/src/passwords/password.ts'
import { openSecretKey } from '../apps/server/src/secret-key.ts'
import { fillAccounts, fillEvents, fillPlaces, large } from './fill-world.ts'

export type Sizes = { events: number; accounts: number }
type OpenWorldInput = { sizes: Sizes; dataDir: string | undefined; report: (sentence: string) => void }

/** The user of the requests: an administrator of the topmost account. A hyper user would need fewer look-ups. */
export const operator = { email: 'operator@portcullis.example', password: 'a gate that only opens inward' } as const

const days = 30

export type World = Awaited<ReturnType<typeof openWorld>>

/** A real PostgreSQL with accounts in a hierarchy and their events. A named folder keeps the data for the next run. */
export async function openWorld({ sizes, dataDir, report }: OpenWorldInput) {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'portcullis-bench-')))
  await mkdir(folder, { recursive: true })
  const engine = await startEmbedded({ dataDir: folder, log: () => {} })
  const { databaseUrl } = engine
  // The bare server does not set the accounts of a transaction, so its role bypasses row level security.
  const bareUrl = Object.assign(new URL(engine.adminUrl), { pathname: new URL(databaseUrl).pathname }).href
  const owner = new pg.Client(bareUrl)
  const stop = async () => {
    await owner.end()
    await engine.stop()
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    await owner.connect()
    const secretKey = await openSecretKey(join(folder, 'secret.key'))
    const logins = loginsFrom({ databaseUrl, secretKey })
    await migrate(databaseUrl, { logins })
    if ((await storedSizes(owner)) !== JSON.stringify(sizes)) await fill(logins)
    return { folder, databaseUrl, bareUrl, ...(await readPlaces(owner)), stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function fill(logins: Logins) {
    const began = performance.now()
    const now = new Date()
    await addMonthlyPartitions({ databaseUrl, from: new Date(now.getTime() - days * 86_400_000), until: now })
    const database = new Database({ logins, connections: 1 })
    await ensureAdministrator(database, { email: 'admin@portcullis.example', password: undefined, now })
    await database.close()
    await owner.query('set synchronous_commit = off')
    await fillAccounts(owner, {
      count: sizes.accounts,
      operator: { ...operator, hash: await hashPassword(operator.password) },
    })
    await fillPlaces(owner)
    await fillEvents(owner, { count: sizes.events, days })
    await owner.query('vacuum (analyze) event, event_delta, event_total')
    await owner.query('create table if not exists bench_world (sizes text)')
    await owner.query('insert into bench_world values ($1)', [JSON.stringify(sizes)])
    await owner.query('checkpoint')
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    report(`Created ${sizes.events} events in ${sizes.accounts} accounts in ${seconds} s.`)
  }
}

/** The data of an existing folder. */
async function storedSizes(owner: pg.Client) {
  const { rows } = await owner.query<{ found: string | null }>(`select to_regclass('bench_world')::text as found`)
  if (rows[0]?.found === null) return undefined
  const { rows: worlds } = await owner.query<{ sizes: string }>('select sizes from bench_world')
  if (worlds[0]) return worlds[0].sizes
  throw new Error('The folder holds data of an interrupted run. Pass another folder with --data, or delete this one.')
}

/** The targets of the requests: places of the large account, trees of accounts, and the number of events. */
async function readPlaces(owner: pg.Client) {
  const list = async <S extends z.ZodType>(schema: S, text: string) => {
    const { rows } = await owner.query<unknown[]>({ text, rowMode: 'array' })
    return z.array(schema).parse(rows.flat())
  }
  const keysBelow = (ref: string) =>
    list(
      z.int(),
      `select account_closure_descendant from account_closure join account on account_key = account_closure_ancestor
        where account_ref = '${ref}' order by 1`,
    )
  const count = async (condition: string) => {
    const [counted = 0] = await list(z.int(), `select count(*)::int from event where ${condition}`)
    return counted
  }
  const [account = 0] = await list(z.int(), `select account_key from account where account_ref = '${large}'`)
  const doors = await list(z.uuid(), `select door_id from door where door_account = ${account} order by 1`)
  return {
    account,
    doors,
    trees: [
      { ref: 'region-2', keys: await keysBelow('region-2') },
      { ref: 'main', keys: await keysBelow('main') },
    ],
    sites: await list(z.uuid(), `select site_id from site where site_account = ${account} order by 1 limit 1000`),
    events: await list(z.uuid(), `select event_id from event where event_account = ${account} limit 1000`),
    counts: {
      own: await count(`event_account = ${account}`),
      /** Subtracts the events of earlier exports. */
      exported: await count(`event_account = ${account} and event_category = 'access'`),
      door: await count(`event_account = ${account} and event_door = '${doors[0]}' and event_type = 'access.granted'`),
    },
  }
}
