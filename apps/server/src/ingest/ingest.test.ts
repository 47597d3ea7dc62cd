import pg from 'pg'
import pino from 'pino'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies } from '../policy/policies.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'
import { EarlierConfigs } from './earlier-configs.ts'
import { ingest } from './ingest.ts'
import { UnitRefused } from './refusal.ts'

let world: GatewayWorld
let feed: ChangeFeed
let policies: Policies
let earlierConfigs: EarlierConfigs
let logId: string
let now: number
beforeEach(async () => {
  world = await gatewayWorld()
  feed = new ChangeFeed({ database: world.database, logins: { system: '' }, notify: 'off' })
  policies = new Policies({ database: world.database, feed, numbers: testNumbers() })
  earlierConfigs = new EarlierConfigs({ database: world.database, log: pino({ level: 'silent' }) })
  logId = uuidv7()
  now = Date.parse('2026-03-01T09:00:00Z')
})
afterEach(() => world.close())

const send = (records: { seq: number; body?: unknown }[]) =>
  ingest(
    { database: world.database, policies, earlierConfigs, now: () => now },
    { unit: ids.unit, logId, records, clockOffsetMs: 0 },
  ).then(({ upTo }) => upTo)

const door = (seq: number, what: string, secondsAgo = 0) => ({
  seq,
  body: { type: 'door', at: new Date(now - secondsAgo * 1_000).toISOString(), door: 1, configVersion: null, what },
})
const granted = { verdict: 'grant', reason: null }
const access = (seq: number, decided: { verdict: string; reason: string | null }) => ({
  seq,
  body: { ...nomsasCard, type: 'access', at: new Date(now).toISOString(), configVersion: 1, ...decided },
})
const whats = async () => (await world.events()).map(({ type, seq }) => `${seq} ${type}`)

test('records are stored once, in their order, whatever the frames', async () => {
  expect(await send([door(1, 'opened'), door(2, 'closed')])).toBe(2)
  expect(await send([door(1, 'opened'), door(2, 'closed')])).toBe(2)
  expect(await send([door(4, 'closed'), door(2, 'closed'), door(3, 'opened'), door(3, 'opened')])).toBe(4)
  expect(await whats()).toEqual(['1 door.opened', '2 door.closed', '3 door.opened', '4 door.closed'])
})

test('two connections that send the same frame concurrently store it once', async () => {
  const frame = Array.from({ length: 20 }, (_, at) => door(at + 1, 'opened'))
  expect(await Promise.all([send(frame), send(frame), send(frame)])).toEqual([20, 20, 20])
  expect(await world.events()).toHaveLength(20)
})

test('a duress PIN is an alarm, whatever the unit decided', async () => {
  const reasons = [
    'outside_schedule',
    'interlock',
    'antipassback',
    'card_required',
    'pin_invalid',
    'second_person_required',
  ]
  const denied = reasons.map((reason, at) => access(at + 1, { verdict: 'deny', reason }))
  const all = [...denied, access(reasons.length + 1, granted)]
  await send(all.map(({ seq, body }) => ({ seq, body: { ...body, duress: true } })))
  expect((await world.events()).map(({ severity }) => severity)).toEqual(all.map(() => 'alarm'))
})

test('a stolen card is a warning, although the unit only says that it does not know the card', async () => {
  await world.run(sql`update credential set credential_status = 'stolen'`)
  await send([access(1, { verdict: 'deny', reason: 'credential_unknown' })])
  expect(await world.events()).toMatchObject([{ reason: 'credential_stolen', severity: 'warning' }])
})

test('the next log of a unit starts again at 1', async () => {
  await send([door(1, 'opened')])
  logId = uuidv7()
  expect(await send([door(1, 'opened')])).toBe(1)
  expect(await world.events()).toHaveLength(2)
})

test('a gap in the sequence is an event, but only one if the unit itself reports it', async () => {
  await send([door(1, 'opened')])
  expect(await send([door(5, 'closed')])).toBe(5)
  const lost = {
    type: 'unit',
    at: new Date(now).toISOString(),
    configVersion: null,
    what: 'log_gap',
    detail: 'Lost 3 records.',
  }
  expect(await send([{ seq: 9, body: lost }])).toBe(9)
  const gaps = (await world.events()).filter(({ type }) => type === 'unit.log_gap')
  expect(gaps.map(({ seq, data }) => [seq, data['detail'] ?? data['note']])).toEqual([
    [9, 'Lost 3 records.'],
    [null, { code: 'records_missing', from: 2, to: 4 }],
  ])
})

test('an unreadable record is stored as received and never blocks the log', async () => {
  const hostile = { type: 'door', text: 'half \ud800 a pair and a \0' }
  expect(await send([{ seq: 1, body: hostile }, { seq: 2 }, { seq: 3, body: 'nonsense' }, door(4, 'opened')])).toBe(4)
  expect(await whats()).toEqual([
    '1 unit.unreadable_record',
    '2 unit.unreadable_record',
    '3 unit.unreadable_record',
    '4 door.opened',
  ])
  expect((await world.events())[2]?.data['raw']).toBe('"nonsense"')
})

test('records of clocks that say 1970, 2038 and 2099 are stored once, at the time of receipt, with their own time', async () => {
  const times = ['1970-01-01T00:00:00.000Z', '2038-01-19T03:14:08.000Z', '2099-12-31T23:59:59.999Z']
  const records = times.map((at, index) => ({ seq: index + 1, body: { ...door(1, 'opened').body, at } }))
  expect(await send(records)).toBe(3)
  expect(await send(records)).toBe(3)
  const stored = await world.events()
  expect(stored.map(({ seq, data }) => [seq, data['deviceTime']])).toEqual(times.map((at, index) => [index + 1, at]))
  for (const { occurredAt, data } of stored) expect([Date.parse(occurredAt), data['clockWrong']]).toEqual([now, true])
})

test('an unreadable record keeps no number that may be that of a QR code or a phone', async () => {
  const ofKind = (kind: unknown) => ({ type: 'access', kind, number: 'SECRET-4711', verdict: 'perhaps' })
  await send([
    { seq: 1, body: ofKind('qr') },
    { seq: 2, body: { nested: [ofKind(undefined)] } },
    { seq: 3, body: ofKind('card') },
  ])
  const stored = (await world.events()).map(({ data }) => JSON.stringify(data))
  expect(stored.map((text) => text.includes('SECRET-4711'))).toEqual([false, false, true])
})

test('a door shows its newest state, also when older events arrive later', async () => {
  const state = async () => (await world.unitState())?.door
  await send([door(1, 'opened', 20), door(2, 'held', 10)])
  expect(await state()).toBe('held')
  logId = uuidv7()
  await send([door(1, 'closed', 15)])
  expect(await state()).toBe('held')
  await send([door(2, 'closed', 5)])
  expect(await state()).toBe('closed')
})

test('500 records fit in one frame', async () => {
  expect(await send(Array.from({ length: 500 }, (_, at) => door(at + 1, 'opened')))).toBe(500)
  const changes = await world.rows(
    z.object({ count: z.number() }),
    sql`select count(*) as count from change where change_collection = 'events'`,
  )
  expect(changes).toEqual([{ count: 500 }])
})

test('an event keeps the names at the time of the event', async () => {
  await send([door(1, 'opened')])
  await world.run(sql`update door set door_name = 'Renamed'`)
  expect((await world.events())[0]?.data.names).toMatchObject({ door: 'Loading Bay 2', site: 'Cold Store' })
})

test('a unit that has moved to another account stores its events there, wherever it was before', async () => {
  const elsewhere = uuidv7()
  await world.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone)
    values (${elsewhere}, 'branch', 'Branch', 'UTC')`)
  await world.run(sql`delete from door`)
  await world.run(sql`update unit set unit_site = null, unit_account = (select account_key from account
    where account_id = ${elsewhere})`)
  const frame = { unit: ids.unit, logId, records: [door(1, 'opened')], clockOffsetMs: 0 }
  const stored = await ingest(
    { database: world.database, policies, earlierConfigs, now: () => now },
    { ...frame, account: world.accountKey },
  )
  const [row] = await world.rows(
    z.object({ key: z.int(), event: z.int() }),
    sql`select account_key as key, event_account as event from account, event where account_id = ${elsewhere}`,
  )
  expect(row).toBeDefined()
  expect(row?.event).toBe(row?.key)
  expect(stored).toMatchObject({ upTo: 1, account: row?.key })
})

test('a record is resolved by the policy as it was when the frame arrived', async () => {
  await policies.ofAccount(world.accountKey)
  await world.changePolicy(sql`update credential set credential_status = 'lost'`)
  await send([access(1, { verdict: 'deny', reason: 'credential_unknown' })])
  expect(await world.events()).toMatchObject([{ seq: 1, reason: 'credential_lost' }])
})

test('a policy that keeps changing is brought up to date once for a frame', async () => {
  await policies.ofAccount(world.accountKey)
  const change = () => world.changePolicy(sql`update credential set credential_status = 'lost'`)
  let reads = 0
  const keepsChanging = after(async () => {
    reads += 1
    await change()
  })
  await ingest(
    { database: world.database, policies: keepsChanging, earlierConfigs, now: () => now },
    { unit: ids.unit, logId, records: [access(1, granted)], clockOffsetMs: 0 },
  )
  expect(reads).toBe(2)
  expect(await world.events()).toHaveLength(1)
})

test('a unit that moves at the last attempt, while the policy keeps changing, stores its events', async () => {
  const moves = await twoAccounts()
  const change = () => world.changePolicy(sql`update credential set credential_status = 'lost'`)
  const steps = [change, moves.there, moves.back]
  const upTo = await ingest(
    { database: world.database, policies: after(() => (steps.shift() ?? change)()), earlierConfigs, now: () => now },
    { unit: ids.unit, logId, records: [door(1, 'opened')], clockOffsetMs: 0 },
  )
  expect(upTo).toMatchObject({ upTo: 1, account: world.accountKey })
})

test('a unit that keeps moving between accounts is refused after some attempts', async () => {
  const { there, back } = await twoAccounts()
  let attempts = 0
  const move = () => (++attempts % 2 === 0 ? back() : there())
  const sent = ingest(
    { database: world.database, policies: after(move), earlierConfigs, now: () => now },
    { unit: ids.unit, logId, records: [door(1, 'opened')], clockOffsetMs: 0 },
  )
  await expect(sent).rejects.toThrow('moved to another account')
  expect(attempts).toBe(10)
  expect(await world.events()).toEqual([])
})

/** The policies, with a step after each time one is read. */
function after(step: () => Promise<unknown>) {
  return {
    async ofAccountAt(account: number, version: number) {
      const policy = await policies.ofAccountAt(account, version)
      await step()
      return policy
    },
  }
}

/** Moves the unit to another account, and back. */
async function twoAccounts() {
  await world.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone)
    values (${uuidv7()}, 'branch', 'Branch', 'UTC')`)
  await world.run(sql`delete from door`)
  const move = (ref: string) =>
    world.run(sql`update unit set unit_site = null,
      unit_account = (select account_key from account where account_ref = ${ref})`)
  const [home] = await world.rows(
    z.object({ ref: z.string() }),
    sql`select account_ref as ref from account where account_key = ${world.accountKey}`,
  )
  return { there: () => move('branch'), back: () => move(home?.ref ?? '') }
}

test('a frame takes two round trips beyond the policy, with all its reads in one and all its writes in the other', async () => {
  const { accountKey: account, database } = world
  const sendFrame = (records: { seq: number; body: unknown }[]) =>
    ingest(
      { database, policies, earlierConfigs, now: () => now },
      { unit: ids.unit, account, logId, records, clockOffsetMs: 0 },
    )
  await sendFrame([access(1, granted)])
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const tripsOf = async (work: () => Promise<unknown>) => {
    query.mockClear()
    await work()
    // Servers of other tests in this process have their own databases.
    return query.mock.contexts.filter(
      (client) => client instanceof pg.Client && client.database === new URL(world.logins.system).pathname.slice(1),
    ).length
  }
  const policyTrips = await tripsOf(() => policies.ofAccount(account))
  expect(await tripsOf(() => sendFrame([access(2, granted), door(3, 'opened'), door(4, 'closed')]))).toBe(
    policyTrips + 2,
  )
  expect((await world.events()).map(({ user, data }) => [user, data.names['user']])).toEqual([
    [ids.nomsa, 'Nomsa Dlamini'],
    [ids.nomsa, 'Nomsa Dlamini'],
    [null, undefined],
    [null, undefined],
  ])
  // What the unit has no room for may explain the denial.
  const unknownCard = access(5, { verdict: 'deny', reason: 'credential_unknown' })
  expect(await tripsOf(() => sendFrame([unknownCard]))).toBe(policyTrips + 2)
})

test('a deny rule that cannot be read leaves the events of its tree stored', async () => {
  const rule = uuidv7()
  await world.run(sql`insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
    values (${rule}, ${world.accountKey}, 'No robots', 'deny', 'both', true)`)
  await world.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    values (${world.accountKey}, ${rule}, 'who', 'Robot', ${uuidv7()})`)
  const reported: string[] = []
  policies.onUnreadable(({ name, item }) => reported.push(name, item))
  expect(await send([access(1, granted)])).toBe(1)
  expect(await world.events()).toMatchObject([{ type: 'access.granted', user: ids.nomsa }])
  expect(reported).toEqual(['No robots', rule])
  const { blocking } = await policies.ofAccount(world.accountKey)
  expect(blocking).toMatchObject([{ collection: 'rules', item: rule, name: 'No robots' }])
})

test('a deleted unit is refused', async () => {
  await world.run(sql`delete from door`)
  await world.run(sql`delete from unit`)
  await expect(send([door(1, 'opened')])).rejects.toThrow(UnitRefused)
})

test.each([
  { read: 'card', credentials: [], kind: 'card' },
  { read: 'iButton', credentials: [], kind: 'iButton' },
  { read: 'card', credentials: ['iButton'], kind: 'iButton' },
  { read: 'iButton', credentials: ['card'], kind: 'iButton' },
  { read: 'card', credentials: ['qr'], kind: 'qr', isMasked: true },
  { read: 'qr', credentials: ['card'], kind: 'card', isMasked: true },
  { read: 'mobile', credentials: [], kind: 'mobile', isMasked: true },
  { read: 'qr', credentials: ['iButton'], kind: 'iButton', isMasked: true },
])('a number is stored with the kind of its credential: read as $read, known as $credentials', async (presented) => {
  const number = 'B-2000'
  for (const kind of presented.credentials) {
    await world.changePolicy(sql`insert into credential (credential_id, credential_account, credential_kind,
      credential_number, credential_status) values (${uuidv7()}, ${world.accountKey}, ${kind}, ${number}, 'active')`)
  }
  const presentedCard = {
    type: 'access',
    at: new Date(now).toISOString(),
    door: 1,
    configVersion: null,
    direction: 'entry',
  }
  const verdict = { verdict: 'deny', reason: 'credential_unknown' }
  await send([{ seq: 1, body: { ...presentedCard, ...verdict, kind: presented.read, number } }])
  expect(await world.events()).toMatchObject([
    { type: 'access.denied', data: { number: presented.isMasked ? '••••000' : number, kind: presented.kind } },
  ])
})
