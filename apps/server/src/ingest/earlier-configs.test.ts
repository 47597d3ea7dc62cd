import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { config, holder, rule } from '@portcullis/controllers/test-configuration'
import { decideOnUnit } from '@portcullis/domain/configuration/decide-on-unit'
import pg from 'pg'
import pino from 'pino'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { databaseIn } from '../database/test-engine.ts'
import { testConfig } from '../desired/test-config.ts'
import { type GatewayWorld, gatewayWorld, ids } from '../gateway/test-world.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies } from '../policy/policies.ts'
import { EarlierConfigs } from './earlier-configs.ts'
import { ingest } from './ingest.ts'

const cards = Array.from({ length: 3_000 }, (_, index) => `C-${index}`)
const someCards = cards.slice(0, 100)
const secret = Buffer.alloc(32, 7)
/** Held while readers of configurations wait. */
const readingLock = 4_711

let world: GatewayWorld
let feed: ChangeFeed
let policies: Policies
let owner: pg.Client
let earlierConfigs: EarlierConfigs
let at: string
let seq: number
const logId = uuidv7()
beforeEach(async () => {
  world = await gatewayWorld()
  const { database, logins } = world
  feed = new ChangeFeed({ database, logins })
  await feed.start()
  policies = new Policies({ database, feed, numbers: testNumbers() })
  earlierConfigs = new EarlierConfigs({ database, log: pino({ level: 'silent' }) })
  owner = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(logins.system).pathname.slice(1)))
  await owner.connect()
  await world.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
    values (${ids.unit}, 'none', ${secret})`)
  at = new Date().toISOString()
  seq = 0
})
afterEach(async () => {
  policies.stop()
  await feed.stop()
  await owner.end()
  await world.close()
})

const keyOf = (number: string) => credentialKey(secret.toString('base64'), number)

/** Versions of a configuration that admits all cards, which the current policy does not have. */
async function storeConfigs({ versions, numbers }: { versions: number; numbers: readonly string[] }) {
  const credential = { _id: ids.card, holder, validFrom: null, validUntil: null }
  const credentials = Object.fromEntries(numbers.map((number) => [keyOf(number), credential]))
  const body = JSON.stringify({ ...config, credentials })
  for (let version = 1; version <= versions + 1; version += 1) {
    const stored = testConfig({ unit: ids.unit, version, text: body, hash: `${version}`, madeHoursAgo: -1 })
    for (const statement of stored) await world.run(statement)
  }
}

/** Counts each time that the database reads the text of a configuration, and lets the test hold these readers. */
async function watchReaders() {
  await owner.query(`
    create sequence body_read;
    create function noted(config text) returns text language plpgsql stable as $$ begin
      perform pg_advisory_lock_shared(${readingLock}), pg_advisory_unlock_shared(${readingLock});
      perform nextval('body_read');
      return config;
    end $$;
    alter view unit_config_whole rename to stored_whole;
    create view unit_config_whole as select unit_config_unit, unit_config_version, unit_config_bytes,
      noted(unit_config_text) as unit_config_text from stored_whole;
    grant all on sequence body_read to portcullis_system;
    grant select on unit_config_whole to portcullis_system`)
  return async () => {
    const { rows } = await owner.query(
      `select case when is_called then last_value else 0 end::int as count from body_read`,
    )
    return z.tuple([z.object({ count: z.int() })]).parse(rows)[0].count
  }
}

const accessRecord = (number: string, configVersion = 1) =>
  ({
    type: 'access',
    at,
    door: 1,
    kind: 'card',
    direction: 'entry',
    number,
    configVersion,
    verdict: 'grant',
    reason: null,
  }) as const
const presented = (number: string, configVersion?: number) => ({
  seq: (seq += 1),
  body: accessRecord(number, configVersion),
})
const send = (records: { seq: number; body: unknown }[]) =>
  ingest(
    { database: world.database, policies, earlierConfigs, now: Date.now },
    { unit: ids.unit, account: world.accountKey, logId, records, clockOffsetMs: 0 },
  )
const reasons = async () => (await world.events()).map(({ reason }) => reason)
const outOfSync = 'unit_out_of_step'

test('500 records that an earlier configuration explains read it once, and hold up no other changes meanwhile', async () => {
  await storeConfigs({ versions: 1, numbers: cards })
  const bodiesRead = await watchReaders()
  const delivered: string[] = []
  feed.listen('test', (changes) => void delivered.push(...changes.map(({ item }) => item)))
  await owner.query(`select pg_advisory_lock(${readingLock})`)
  const sent = send(cards.slice(0, 500).map((number) => presented(number)))
  const readers = `select from pg_locks where locktype = 'advisory' and objid = ${readingLock} and not granted`
  await expect.poll(async () => (await owner.query(readers)).rowCount).toBe(1)
  const bystander = uuidv7()
  await world.run(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    values (${world.accountKey}, 'sites', ${bystander}, 'save', false)`)
  feed.hint()
  await expect.poll(() => delivered).toContain(bystander)
  await owner.query(`select pg_advisory_unlock(${readingLock})`)
  expect(await sent).toMatchObject({ upTo: 500 })
  expect(await reasons()).toEqual(Array(500).fill(null))
  expect(await bodiesRead()).toBe(1)
})

test('of the versions that one frame names, 4 are read, and the current policy explains the other records', async () => {
  await storeConfigs({ versions: 6, numbers: someCards })
  const bodiesRead = await watchReaders()
  await send(someCards.slice(0, 12).map((number, index) => presented(number, 1 + (index % 6))))
  const explained = [null, null, null, null, outOfSync, outOfSync]
  expect(await reasons()).toEqual([...explained, ...explained])
  expect(await bodiesRead()).toBe(4)
})

test('a configuration is read again only for cards that no earlier frame has named', async () => {
  await storeConfigs({ versions: 1, numbers: someCards })
  const bodiesRead = await watchReaders()
  for (const named of [['C-1', 'C-2'], ['C-2'], ['C-3'], ['C-1', 'C-3']]) {
    await send(named.map((number) => presented(number)))
  }
  expect(await reasons()).toEqual(Array(6).fill(null))
  expect(await bodiesRead()).toBe(2)
})

test('a unit that names ever new cards has its configuration read 60 times, and still stores its events', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await storeConfigs({ versions: 1, numbers: someCards })
  const bodiesRead = await watchReaders()
  for (const number of someCards.slice(0, 62)) await send([presented(number)])
  expect(await reasons()).toEqual([...someCards.slice(0, 60).map(() => null), outOfSync, outOfSync])
  expect(await bodiesRead()).toBe(60)
})

test('readings beyond the limit are not logged, and a failed one is', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const configs = new EarlierConfigs({ database: world.database, log })
  await storeConfigs({ versions: 1, numbers: someCards })
  const explain = (number: string) => configs.explainer({ unit: ids.unit, records: [accessRecord(number)] })
  await watchReaders()
  await owner.query(`select pg_advisory_lock(${readingLock})`)
  const reading = someCards.slice(0, 12).map(explain)
  // Those beyond the limit end although no reading does.
  await Promise.race(reading)
  await owner.query(`select pg_advisory_unlock(${readingLock})`)
  await Promise.all(reading)
  expect(lines).toEqual([])
  await owner.query(`update unit_config_piece set unit_config_piece_text = '"half'`)
  await explain('C-50')
  expect(lines).toHaveLength(1)
})

test('a configuration that cannot be read leaves its records to the current policy', async () => {
  await storeConfigs({ versions: 1, numbers: someCards })
  await world.run(sql`update unit_config_piece set unit_config_piece_text = '"half'`)
  await send([presented('C-1')])
  expect(await reasons()).toEqual([outOfSync])
})

test('the part that is read explains a record as the whole configuration does', async () => {
  const user = { ...config.holders[holder], access: ['staff', 'weekenders'] }
  const hours = { public: 'closed', company: 'asUsual', special: [] }
  const whole = unitConfig.parse({
    ...config,
    schedules: {
      saturday: { windows: [{ day: 6, from: 0, until: 1_440 }], holidayHours: hours },
      unused: { windows: [], holidayHours: hours },
    },
    rules: {
      ...config.rules,
      weekends: { effect: 'allow', direction: 'entry', adhoc: null, schedule: 'saturday' },
      never: { effect: 'deny', direction: 'both', adhoc: null, schedule: 'saturday' },
    },
    access: {
      staff: { doors: { 1: { allow: [rule], deny: [] } } },
      weekenders: { doors: { 1: { allow: ['weekends'], deny: ['never'] } } },
      unused: { doors: { 1: { allow: [rule], deny: [] } } },
    },
    holders: { [holder]: user, other: user },
    credentials: { [keyOf('C-1')]: { _id: ids.card, holder, validFrom: null, validUntil: null } },
  })
  await storeConfigs({ versions: 1, numbers: [] })
  await world.run(sql`update unit_config_piece set unit_config_piece_text = ${JSON.stringify(whole).slice(1, -1)}`)
  const records = ['C-1', 'C-2'].map((number) => accessRecord(number))
  const explain = await earlierConfigs.explainer({ unit: ids.unit, records })
  for (const record of records) {
    for (const day of ['2026-03-06', '2026-03-07']) {
      const moment = Date.parse(`${day}T12:00:00Z`)
      const attempt = { unitDoor: 1, credentialKey: keyOf(record.number), direction: 'entry', at: moment } as const
      expect(explain(record, moment)).toEqual(decideOnUnit(whole, attempt).findings)
    }
  }
})

test('a user who was granted access during a lockdown was let pass by it', async () => {
  await storeConfigs({ versions: 1, numbers: ['C-1'] })
  const locked = JSON.stringify({ ...config.doors[1], mode: 'lockdown' })
  await world.run(sql`update unit_config_piece
    set unit_config_piece_text = replace(unit_config_piece_text, ${JSON.stringify(config.doors[1])}, ${locked})`)
  const record = accessRecord('C-1')
  const explain = await earlierConfigs.explainer({ unit: ids.unit, records: [record] })
  const moment = Date.parse(at)
  const findings = explain(record, moment)
  expect(findings?.find(({ step }) => step === 'mode')).toMatchObject({
    outcome: 'passed',
    facts: { mode: 'lockdown' },
  })
  expect(findings?.filter(({ outcome }) => outcome === 'refused')).toEqual([])
  const denied = explain({ ...record, verdict: 'deny', reason: 'door_locked_down' }, moment)
  expect(denied?.find(({ outcome }) => outcome === 'refused')).toMatchObject({ reason: 'door_locked_down' })
})
