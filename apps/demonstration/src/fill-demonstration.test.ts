import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roles } from '@portcullis/contract/abilities'
import { readKinds } from '@portcullis/contract/unit-protocol/records'
import { collections } from '@portcullis/contract/collections/registry'
import { rules } from '@portcullis/contract/collections/rules'
import { users } from '@portcullis/contract/collections/users'
import type { Collection } from '@portcullis/contract/collection'
import { compileUnit, decideOnUnit } from '@portcullis/domain/configuration/compile-unit'
import { credentialStatuses } from '@portcullis/domain/policy'
import Fastify from 'fastify'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '@portcullis/server/database/database'
import { createTestDatabase, type TestDatabase } from '@portcullis/server/database/test-database'
import { addMonthlyPartitions } from '@portcullis/server/database/months'
import { allFields } from '@portcullis/server/query/list-request'
import { readItems } from '@portcullis/server/query/read-items'
import { itemsAsOf } from '@portcullis/server/history/items-as-of'
import { testNumbers } from '@portcullis/server/numbers/test-numbers'
import { loadPolicy } from '@portcullis/server/policy/load-policy'
import { ensureAdministrator } from '@portcullis/server/first-administrator'
import { listsOf } from './policy-lists.ts'
import { fillDemonstration } from './fill-demonstration.ts'
import { askingSwipe } from './live/access-requesters.ts'
import { LiveSwipes } from './live/live-swipes.ts'
import { homeOfControllers } from './live/virtual-controllers.ts'
import { eventDescriber } from './past/describe-events.ts'
import { servePortraits } from './portraits/serve-portraits.ts'
import { seededRandom } from './random.ts'
import { decisionOn } from './swipe.ts'
import { unhappyReasons, unhappySwipe } from './unhappy-swipes.ts'
import { firstAccount } from './world/accounts.ts'
import { troubles } from './world/places.ts'

/** A Friday, half past twelve in Cape Town. */
const now = new Date('2026-11-20T10:30:00Z')
const administrator = { email: 'admin@portcullis.example', password: 'only for this test', now }

const numbers = testNumbers()
let own: TestDatabase
let database: Database
let dataDir: string
let sentence: string | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demonstration-'))
  own = await createTestDatabase()
  const months = { from: new Date('2026-09-01'), until: new Date('2026-12-01') }
  await addMonthlyPartitions({ databaseUrl: own.databaseUrl, ...months })
  database = new Database({ logins: own.logins, connections: 4 })
  await ensureAdministrator(database, { ...administrator, firstAccount })
  sentence = await fillDemonstration(database, { now, dataDir, numbers })
})
afterAll(async () => {
  await database.close()
  await own.drop()
  await rm(dataDir, { recursive: true })
})

test('no past event lies in the future', async () => {
  const ahead = await rowsOf(
    z.object({ type: z.string() }),
    sql`select event_type as type from event where event_occurred_at > ${now.toISOString()}`,
  )
  expect(ahead).toEqual([])
})

function rowsOf<S extends z.ZodType>(schema: S, query: Sql) {
  return database.asSystem((tx) => tx.rows(schema, query))
}

async function count(from: Sql) {
  const [row] = await rowsOf(z.object({ count: z.number() }), sql`select count(*) as count from ${from}`)
  return row?.count ?? 0
}

const text = z.object({ text: z.string() })

async function texts(query: Sql) {
  return (await rowsOf(text, query)).map((row) => row.text)
}

test('the demonstration has the accounts, places and people that it describes', async () => {
  expect(sentence).toMatch(
    /^Demonstration: 4 accounts, 6 sites, 40 doors, 12 virtual controllers, 400 users, \d+ past events \(\d+\.\d s\)\.$/,
  )
  expect(await count(sql`account`)).toBe(4)
  expect(await count(sql`account_closure where account_closure_depth = 2`)).toBe(1)
  expect(await count(sql`site`)).toBe(6)
  expect(await count(sql`unit`)).toBe(12)
  expect(await count(sql`door where door_unit is not null`)).toBe(40)
  expect(await count(sql`person where not person_hyper`)).toBe(400)
  expect(await count(sql`(select distinct site_time_zone from site) zone`)).toBe(2)
  expect(existsSync(homeOfControllers(dataDir))).toBe(true)
})

test('two of its accounts have brands of their own, and one of them an account below that shares it', async () => {
  const named = z.object({ ref: z.string(), brand: z.string().nullable() })
  const rows = await rowsOf(
    named,
    sql`select account_ref as ref, account_brand as brand from account order by account_key`,
  )
  expect(Object.fromEntries(rows.map(({ ref, brand }) => [ref, brand]))).toEqual({
    'harbour-group': null,
    'harbour-logistics': 'harbour',
    'harbour-couriers': null,
    'quayside-labs': 'acme',
  })
})

test('every user has a picture of their own and a realistic name', async () => {
  const pictures = await texts(sql`select person_img as text from person where not person_hyper`)
  expect(new Set(pictures).size).toBe(400)
  const portraits = Fastify()
  servePortraits(portraits)
  for (const picture of pictures) {
    const { statusCode, headers } = await portraits.inject(picture)
    expect([statusCode, headers['content-type']], picture).toEqual([200, 'image/svg+xml'])
  }
  const names = await texts(sql`select person_name as text from person`)
  for (const kind of [
    /'/,
    /\p{Script=Arabic}/u,
    /\p{Script=Hebrew}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Han}/u,
    /^.{70}/,
    /^\S+$/,
  ]) {
    expect(
      names.filter((name) => kind.test(name)),
      String(kind),
    ).not.toEqual([])
  }
})

test('there are credentials of every kind that readers read, and of every state, and users with past, short and future validity', async () => {
  expect(await texts(sql`select distinct credential_kind as text from credential order by 1`)).toEqual(
    [...readKinds].sort(),
  )
  expect(await texts(sql`select distinct credential_status as text from credential order by 1`)).toEqual(
    [...credentialStatuses].sort(),
  )
  const moment = now.toISOString()
  expect(await count(sql`credential where credential_user is null`)).toBeGreaterThan(5)
  expect(await count(sql`credential where credential_valid_until < ${moment}`)).toBeGreaterThan(0)
  expect(await count(sql`membership where membership_status = 'suspended'`)).toBeGreaterThan(1)
  expect(await count(sql`membership where membership_valid_from > ${moment}`)).toBeGreaterThan(1)
  const soon = sql`between ${moment}::timestamptz and ${moment}::timestamptz + interval '14 days'`
  expect(await count(sql`membership where membership_valid_until ${soon}`)).toBeGreaterThan(1)
})

test('only the administrator has a password, and a user in each role could be given one', async () => {
  expect(await count(sql`person where person_password_hash is not null`)).toBe(1)
  const signIns = sql`person join membership on membership_user = person_id where person_email is not null and person_verified`
  expect(await texts(sql`select distinct membership_role as text from ${signIns} order by 1`)).toEqual(
    [...roles].sort(),
  )
})

test('the past thirty days have tens of thousands of events, each in the part of its month', async () => {
  const events = await count(sql`event`)
  expect(events).toBeGreaterThan(25_000)
  expect(events).toBeLessThan(60_000)
  const month = sql`event_occurred_at between ${now.toISOString()}::timestamptz - interval '30 days' and ${now.toISOString()}`
  expect(await count(sql`event where ${month}`)).toBe(events)
  expect(await count(sql`event where tableoid = 'event_default'::regclass`)).toBe(0)
  expect(await count(sql`event where event_received_at < event_occurred_at`)).toBe(0)
  expect(await count(sql`event where event_backfilled`)).toBeGreaterThan(20)
})

test('a user was denied for each reason that exists so far', async () => {
  const storedReasons = await texts(
    sql`select distinct event_reason as text from event where event_outcome = 'denied' order by 1`,
  )
  expect(storedReasons).toEqual([...unhappyReasons, 'unit_out_of_step'].sort())
})

test('every past decision has the same facts as a new one', async () => {
  const granted = sql`event where event_type = 'access.granted'`
  expect(await count(granted)).toBeGreaterThan(8_000)
  expect(
    await count(sql`${granted} and (event_user is null or event_data->'names'->>'user' is null
      or event_data->'names'->>'door' is null or event_data->'names'->>'timeZone' is null
      or event_data->'names'->>'title' is null or json_array_length(event_reasons) < 9 or event_policy_version is null)`),
  ).toBe(0)
})

test('every kind of event of a door or a controller has occurred', async () => {
  const types = await texts(sql`select distinct event_type as text from event order by 1`)
  expect(types).toEqual([
    'access.denied',
    'access.granted',
    'door.closed',
    'door.exit_requested',
    'door.forced',
    'door.held',
    'door.mode_changed',
    'door.opened',
    'door.restored',
    'unit.offline',
    'unit.online',
  ])
  const doorsThat = (condition: Sql) =>
    texts(sql`select door_name as text from door join door_state on door_state_id = door_id where ${condition}`)
  expect(await doorsThat(sql`door_state_state = 'held'`)).toEqual([troubles.heldOpen.door])
  expect(await doorsThat(sql`door_state_state = 'closed'`)).toHaveLength(39)
})

test('working days are busier than weekends, and each site has its own clock', async () => {
  const granted = sql`event join site on site_id = event_site where event_outcome = 'granted'`
  const local = sql`event_occurred_at at time zone site_time_zone`
  const onDays = (days: number[]) => count(sql`${granted} and extract(isodow from ${local}) = any(${days}::int[])`)
  expect(await onDays([6, 7])).toBeLessThan((await onDays([2])) / 2)
  const inHours = (site: string, hours: number[]) =>
    count(sql`${granted} and site_name = ${site} and extract(hour from ${local}) = any(${hours}::int[])`)
  expect(await inHours('Salford Laboratory', [7, 8, 9])).toBeGreaterThan(
    (await inHours('Salford Laboratory', [2, 3, 4])) * 20,
  )
  expect(await inHours('Felixstowe Yard', [3, 4, 5])).toBeGreaterThan(await inHours('Felixstowe Yard', [18, 19, 20]))
  expect(await inHours('Cold Store North', [22, 23])).toBeGreaterThan(30)
})

test('the audit log explains every item: each matches its last entry', async () => {
  const entries = await rowsOf(
    z.object({ item: z.string(), after: z.record(z.string(), z.unknown()) }),
    sql`select history_item as item, history_after as after from history order by history_at, history_policy_version`,
  )
  const storedReasons = new Map<string, Record<string, unknown>>()
  for (const { item, after } of entries) storedReasons.set(item, { ...storedReasons.get(item), ...after })
  for (const collection of Object.values<Collection>(collections)) {
    if (collection.readOnly) continue
    const fields = allFields(collection).filter((field) => !(field in collection.fields.state) && field !== 'groups')
    const items = await database.asSystem((tx) => readItems(tx, { collection, fields, where: sql`true` }))
    const made = items.filter(({ id }) => storedReasons.has(id))
    expect(made.length, collection.name).toBeGreaterThan(0)
    for (const { id, item } of made) {
      const whole = storedReasons.get(id) ?? {}
      expect(JSON.parse(item), collection.name).toEqual(
        Object.fromEntries(fields.map((field) => [field, whole[field]])),
      )
    }
  }
})

test('the audit log looks like real work: several authors, past weeks, versions in the order of time', async () => {
  const span = sql`history_at between ${now.toISOString()}::timestamptz - interval '53 days' and ${now.toISOString()}`
  expect(await count(sql`history where not (${span})`)).toBe(0)
  expect(await texts(sql`select distinct history_actor_name as text from history`)).toHaveLength(6)
  const versions = await rowsOf(
    z.object({ version: z.number() }),
    sql`select history_policy_version as version from history where history_policy_version is not null order by history_at`,
  )
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 2))
  expect(await count(sql`policy where policy_version = ${versions.length + 1}`)).toBe(1)
  const atWork = sql`history where extract(isodow from history_at) < 6 and extract(hour from history_at) between 6 and 15`
  expect(await count(atWork)).toBeGreaterThan((await count(sql`history`)) - 5)
})

test('previous states can be read: a rule, a group, a card as they were', async () => {
  const keys = (await rowsOf(z.object({ key: z.int() }), sql`select account_key as key from account`)).map(
    ({ key }) => key,
  )
  const at = new Date(now.getTime() - 29 * 86_400_000).toISOString()
  const names = async (collection: Collection) => {
    const items = await database.asSystem((tx) => itemsAsOf(tx, { collection, accounts: keys, at }))
    return [...items.values()].map(({ name }) => name)
  }
  expect(await names(rules)).not.toContain('Compressor repair')
  expect(await texts(sql`select rule_name as text from rule`)).toContain('Compressor repair')
  expect(await names(users)).toHaveLength(401)
})

test('a card that was reported lost opened doors before, and none after', async () => {
  const used = (comparison: Sql) =>
    count(sql`event join history on history_item = event_credential and history_action = 'patch'
      and history_after->>'status' in ('lost', 'stolen', 'revoked')
      where event_outcome = 'granted' and event_occurred_at ${comparison} history_at`)
  expect(await used(sql`<`)).toBeGreaterThan(10)
  expect(await used(sql`>`)).toBe(0)
})

test('the recorded answer of a controller is the one that its own configuration gives', async () => {
  const [tree] = await rowsOf(z.object({ root: z.int() }), sql`select policy_root as root from policy`)
  const { index } = await loadPolicy((work) => database.asSystem(work), tree?.root ?? 0, numbers)
  const at = now.getTime()
  const configs = new Map(
    listsOf(index).units.map(({ _id }) => [_id, compileUnit({ index, unit: _id, at, hashNumber: (number) => number })]),
  )
  const random = seededRandom(3)
  const policies = { at: () => ({ from: 0, version: 1, index }) }
  const describer = eventDescriber({ policies, accounts: new Map(), titles: new Map(), outages: [], random })
  const reasons = new Set<string>()
  for (const reason of [...unhappyReasons, ...unhappyReasons, ...unhappyReasons]) {
    const swipe = unhappySwipe({ index, reason, at, random })
    const config = swipe && configs.get(swipe.unit)
    if (!config) continue
    const { unitDoor, number: credentialKey, direction } = swipe
    const own = decideOnUnit(config, { unitDoor, credentialKey, direction, at })
    const storedReasons = describer.access({ ...swipe, at })
    expect([storedReasons.outcome, storedReasons.data.unitReason], reason).toEqual(['denied', own.reason])
    reasons.add(reason)
  }
  expect(reasons.size).toBeGreaterThan(15)
})

test.each([
  ['at midnight', '2026-11-21T22:00:00Z'],
  ['on a working day', '2026-11-23T08:30:00Z'],
])('users arrive %s, about one in ten is denied, over time for every reason', async (_, moment) => {
  const key = z.object({ root: z.int() })
  const [tree] = await rowsOf(key, sql`select policy_root as root from policy`)
  const { index } = await loadPolicy((work) => database.asSystem(work), tree?.root ?? 0, numbers)
  const people = new LiveSwipes(seededRandom(7))
  const decisions = Array.from({ length: 800 }, (_, minute) => {
    const at = Date.parse(moment) + minute * 4_000
    const swipe = people.next(index, at)
    return swipe && { ...decisionOn(index, swipe, at), number: swipe.number }
  })
  const reasons = decisions.flatMap((decision) => decision?.reason ?? [])
  const granted = decisions.flatMap((decision) => (decision?.verdict === 'grant' ? [decision.number] : []))
  expect(granted.length).toBeGreaterThan(600)
  expect(new Set(granted).size).toBeGreaterThan(40)
  expect(reasons.length).toBeGreaterThan(800 * 0.06)
  expect(reasons.length).toBeLessThan(800 * 0.16)
  const denied = new Set<string>(reasons)
  // Every unit is enabled.
  expect(unhappyReasons.filter((reason) => !denied.has(reason))).toEqual(['unit_out_of_service'])
})

test('§3 there is always a user who can request access at a door that needs approval', async () => {
  const key = z.object({ root: z.int() })
  const [tree] = await rowsOf(key, sql`select policy_root as root from policy`)
  const { index } = await loadPolicy((work) => database.asSystem(work), tree?.root ?? 0, numbers)
  for (const moment of ['2026-11-21T22:00:00Z', '2026-11-23T08:30:00Z']) {
    expect(askingSwipe(index, { at: Date.parse(moment), random: seededRandom(7) }), moment).toBeDefined()
  }
})

test('filling in a second time changes nothing', async () => {
  const before = await rowsOf(z.unknown(), fingerprint)
  expect(await fillDemonstration(database, { now, dataDir, numbers })).toBeUndefined()
  expect(await rowsOf(z.unknown(), fingerprint)).toEqual(before)
})

const fingerprint = sql`select (select policy_version from policy) as policy, (select count(*) from event) as events,
  (select count(*) from history) as history, (select count(*) from link) as links`

test('an installation already in use is left unchanged', async () => {
  const used = await createTestDatabase()
  const other = new Database({ logins: used.logins, connections: 2 })
  await ensureAdministrator(other, administrator)
  expect(await fillDemonstration(other, { now, dataDir, numbers })).toBeUndefined()
  await other.close()
  await used.drop()
})
