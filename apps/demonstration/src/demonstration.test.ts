import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlClientIn } from '@portcullis/controllers/control-client'
import { controlFile, controlFileName } from '@portcullis/controllers/control-protocol'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '@portcullis/server/config'
import { createTestDatabase, type TestDatabase } from '@portcullis/server/database/test-database'
import { startServer } from '@portcullis/server/start-server'
import { demonstration } from './demonstration.ts'
import { homeOfControllers } from './live/virtual-controllers.ts'
import { enrolFleet, virtualFleet } from './live/virtual-fleet.ts'
import { troubles } from './world/places.ts'

let own: TestDatabase
let dataDir: string
let server: Awaited<ReturnType<typeof startServer>> | undefined
const reported: string[] = []
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demonstration-'))
  own = await createTestDatabase()
  await start()
  await vi.waitFor(isAsDescribed, patience)
})
afterAll(async () => {
  await server?.stop()
  await own.drop()
  await rm(dataDir, { recursive: true })
})

async function start() {
  reported.length = 0
  const environment = { PORT: '0', HOST: '127.0.0.1', DEMO: 'on', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const config = readConfig({ ...environment, DATABASE_URL: own.databaseUrl })
  server = await startServer(config, (sentence) => reported.push(sentence), demonstration)
}

async function stop() {
  await server?.stop()
  server = undefined
}

async function count(from: Sql) {
  const row = await server?.database.asSystem((tx) =>
    tx.first(z.object({ count: z.number() }), sql`select count(*) as count from ${from}`),
  )
  return row?.count
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const patience = { timeout: 240_000, interval: 300 }
const serials = (...serialNumbers: string[]) => sql`unit_serial = any(${serialNumbers}::text[])`
const units = sql`unit join unit_state on unit_state_id = unit_id`
const online = sql`${units} where unit_state_status = 'online' and unit_state_applied_version is not null`

/** Every simulated fault, and the normal state of all other parts. */
async function isAsDescribed() {
  const behind = sql`${units} where unit_state_status = 'online' and unit_state_desired_version > unit_state_applied_version`
  expect(await count(online)).toBe(11)
  expect(await count(sql`${units} where unit_state_status = 'offline' and ${serials(troubles.offline.serial)}`)).toBe(1)
  for (const { serial, memory } of troubles.outOfStep) {
    const rejection = memory === 'full' ? sql`is not null` : sql`is null`
    expect(await count(sql`${behind} and ${serials(serial)} and unit_state_rejection ${rejection}`), serial).toBe(1)
  }
  const heldOpen = sql`door join door_state on door_state_id = door_id
    where door_name = ${troubles.heldOpen.door} and door_state_state = 'held'`
  expect(await count(heldOpen)).toBe(1)
}

test('§5 npm start: cards are presented at virtual controllers, which end with the server and are found again', async () => {
  const live = sql`event where event_log is not null and event_outcome = 'granted'`
  await vi.waitFor(async () => expect(await count(live)).toBeGreaterThan(0), patience)
  const { pid } = controlFile.parse(
    JSON.parse(await readFile(join(homeOfControllers(dataDir), controlFileName), 'utf8')),
  )
  expect(isAlive(pid)).toBe(true)
  const changes = await count(sql`history`)

  await stop()
  expect(isAlive(pid)).toBe(false)

  await start()
  await vi.waitFor(isAsDescribed, patience)
  expect(await count(sql`event where event_type = 'unit.enrolled'`)).toBe(12)
  expect(await count(sql`history`)).toBe(changes)
})

test('§5 npm start: the address of the page of the virtual controllers is printed, with its token', async () => {
  const printed = () => /Virtual controllers, .*: (http\S+)/.exec(reported.join('\n'))?.[1]
  await expect.poll(printed).toBeDefined()
  const page = new URL(printed() ?? '')
  const token = new URLSearchParams(page.hash.slice(1)).get('token')
  const content = await fetch(new URL('/page', page), { headers: { authorization: `Bearer ${token}` } })
  expect(await content.text()).toContain('PV-2001')
})

test('§5 npm start: a virtual controller that runs in another process keeps its key', async () => {
  // All controllers, including those with faults, have already stored their keys.
  await stop()
  const home = homeOfControllers(dataDir)
  await rename(join(home, 'PV-2001'), join(dataDir, 'of-another-process'))

  await start()
  await vi.waitFor(async () => {
    expect(await count(sql`${online} and ${serials('PV-2002')}`)).toBe(1)
    expect(await count(sql`${units} where unit_state_status = 'offline' and ${serials('PV-2001')}`)).toBe(1)
  }, patience)
  if (!server) throw new Error('the server is not there')
  const control = await controlClientIn(home)
  await enrolFleet(server.database, { control, fleet: await virtualFleet(server.database) })
  expect(await count(sql`event where event_type = 'unit.enrolled'`)).toBe(12)
  expect((await control.list()).map(({ serial }) => serial)).not.toContain('PV-2001')
})
