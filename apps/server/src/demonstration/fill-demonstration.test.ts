import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database/database.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { Policies } from '../policy/policies.ts'
import { ensureAdministrator } from '../sessions/first-administrator.ts'
import { fillDemonstration } from './fill-demonstration.ts'
import { LiveSwipes } from './live-swipes.ts'
import { seededRandom } from './random.ts'
import { decisionOn } from './swipe.ts'
import { unhappyReasons } from './unhappy-swipes.ts'
import { homeOfControllers } from './virtual-controllers.ts'
import { firstAccount } from './world/accounts.ts'

/** A Friday, half past twelve in Cape Town. */
const now = new Date('2026-11-20T10:30:00Z')
const administrator = { email: 'admin@portcullis.example', password: 'only for this test', now }

let own: TestDatabase
let database: Database
let dataDir: string
let sentence: string | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demonstration-'))
  own = await createTestDatabase()
  database = new Database({ databaseUrl: own.databaseUrl, connections: 4 })
  await ensureAdministrator(database, { ...administrator, firstAccount })
  sentence = await fillDemonstration(database, { now, dataDir })
})
afterAll(async () => {
  await database.close()
  await own.drop()
  await rm(dataDir, { recursive: true })
})

const counted = z.object({ count: z.number() })

async function count(from: Sql) {
  const row = await database.asSystem((tx) => tx.first(counted, sql`select count(*) as count from ${from}`))
  return row?.count
}

test('the demonstration has the accounts, places and people that it tells of', async () => {
  expect(sentence).toMatch(
    /^Demonstration: 4 accounts, 6 sites, 20 doors, 6 virtual controllers, 100 people, \d+ past events \(\d+\.\d s\)\.$/,
  )
  expect(await count(sql`account`)).toBe(4)
  expect(await count(sql`account_closure where account_closure_depth = 2`)).toBe(1)
  expect(await count(sql`site`)).toBe(6)
  expect(await count(sql`unit`)).toBe(6)
  expect(await count(sql`door where door_unit is not null`)).toBe(20)
  expect(
    await count(sql`door join account on account_key = door_account where account_ref = ${firstAccount.ref}`),
  ).toBeGreaterThanOrEqual(12)
  expect(await count(sql`person where not person_hyper`)).toBe(100)
  expect(await count(sql`(select distinct site_time_zone from site) zone`)).toBe(2)
  expect(existsSync(homeOfControllers(dataDir))).toBe(true)
})

test('nobody but the administrator has a password', async () => {
  expect(await count(sql`person where person_password_hash is not null`)).toBe(1)
  expect(await count(sql`membership where membership_role in ('accessManager', 'reportingUser')`)).toBe(2)
})

test('the past has three to five thousand events, all of the last seven days', async () => {
  const events = await count(sql`event`)
  expect(events).toBeGreaterThanOrEqual(3_000)
  expect(events).toBeLessThanOrEqual(5_000)
  const week = sql`event_occurred_at between ${now.toISOString()}::timestamptz - interval '7 days' and ${now.toISOString()}`
  expect(await count(sql`event where ${week}`)).toBe(events)
})

test('somebody was turned away for each reason that exists so far', async () => {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ reason: z.string() }),
      sql`select distinct event_reason as reason from event where event_outcome = 'denied'`,
    ),
  )
  const told = rows.map(({ reason }) => reason).sort()
  expect(told).toEqual([...unhappyReasons, 'unit_out_of_step'].sort())
})

test('every decision of the past says who, where and why as a new one does', async () => {
  const granted = sql`event where event_type = 'access.granted'`
  expect(await count(granted)).toBeGreaterThan(1_000)
  expect(
    await count(sql`${granted} and (event_user is null or event_data->'names'->>'user' is null
      or event_data->'names'->>'door' is null or event_data->'names'->>'timeZone' is null
      or jsonb_array_length(event_reasons) < 9 or event_policy_version is null)`),
  ).toBe(0)
  expect(await count(sql`event where event_backfilled and event_received_at - event_occurred_at < interval '0'`)).toBe(
    0,
  )
  expect(await count(sql`event where event_backfilled`)).toBeGreaterThan(0)
})

test('working days are busier than the weekend', async () => {
  const onDays = (days: number[]) =>
    count(
      sql`event where extract(isodow from event_occurred_at at time zone 'Africa/Johannesburg') = any(${days}::int[])`,
    )
  const [weekend, tuesday] = [await onDays([6, 7]), await onDays([2])]
  expect(weekend).toBeLessThan((tuesday ?? 0) / 2)
})

test.each([
  ['at midnight', '2026-11-21T22:00:00Z'],
  ['on a working day', '2026-11-23T08:30:00Z'],
])('people come %s, about one in eight is turned away, in time for every reason', async (_, moment) => {
  const key = z.object({ root: z.int() })
  const tree = await database.asSystem((tx) => tx.first(key, sql`select policy_root as root from policy`))
  const { index } = await new Policies(database).ofAccount(tree?.root ?? 0)
  const people = new LiveSwipes(seededRandom(7))
  const decisions = Array.from({ length: 800 }, (_, minute) => {
    const at = Date.parse(moment) + minute * 4_000
    const swipe = people.next(index, at)
    return swipe && { ...decisionOn(index, swipe, at), number: swipe.number }
  })
  const reasons = decisions.flatMap((decision) => decision?.reason ?? [])
  const granted = decisions.flatMap((decision) => (decision?.verdict === 'grant' ? [decision.number] : []))
  expect(granted.length).toBeGreaterThan(600)
  expect(new Set(granted).size).toBeGreaterThan(15)
  expect(reasons.length).toBeGreaterThan(800 * 0.08)
  expect(reasons.length).toBeLessThan(800 * 0.18)
  const turnedAway = new Set<string>(reasons)
  // Every unit is in service.
  expect(unhappyReasons.filter((reason) => !turnedAway.has(reason))).toEqual(['unit_out_of_service'])
})

test('filling in a second time changes nothing', async () => {
  const before = await database.asSystem((tx) => tx.rows(z.unknown(), fingerprint))
  expect(await fillDemonstration(database, { now, dataDir })).toBeUndefined()
  expect(await database.asSystem((tx) => tx.rows(z.unknown(), fingerprint))).toEqual(before)
})

const fingerprint = sql`select (select policy_version from policy) as policy, (select count(*) from event) as events,
  (select count(*) from history) as history, (select count(*) from link) as links`

test('an installation that somebody has begun to use is left alone', async () => {
  const used = await createTestDatabase()
  const other = new Database({ databaseUrl: used.databaseUrl, connections: 2 })
  await ensureAdministrator(other, administrator)
  expect(await fillDemonstration(other, { now, dataDir })).toBeUndefined()
  await other.close()
  await used.drop()
})
