import { generateKeys, signText } from '@portcullis/controllers/keys'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { requestUnlockOnce } from '../commands/commands.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard, ownNonce, serial } from './test-world.ts'

let world: GatewayWorld
let url: string
beforeEach(async () => {
  world = await gatewayWorld()
  url = (await world.startServer()).url
})
afterEach(() => world.close())

const patient = { timeout: 120_000, interval: 50 }
const wait = (check: () => Promise<void>) => vi.waitFor(check, patient)
const eventTypes = async () => (await world.events()).map(({ type }) => type)

test('a unit enrols and gets its configuration, and a card at its door is an event with its reason', async () => {
  const unit = await world.workingUnit(url)
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'grant', reason: null })
  await wait(async () => expect(await eventTypes()).toContain('door.closed'))
  const events = await world.events()
  expect(events.map(({ type }) => type)).toEqual([
    'unit.enrolled',
    'unit.online',
    'unit.sync_ok',
    'unit.power_on',
    'access.granted',
    'door.opened',
    'door.closed',
  ])
  expect(events.find(({ type }) => type === 'access.granted')).toMatchObject({
    door: ids.door,
    user: ids.nomsa,
    credential: ids.card,
    outcome: 'granted',
    reason: null,
    backfilled: false,
    policyVersion: 1,
    seq: 2,
    data: {
      number: '4711',
      names: {
        site: 'Cold Store',
        door: 'Loading Bay 2',
        unit: 'Front controller',
        user: 'Nomsa Dlamini',
        title: 'Packer',
        timeZone: 'Europe/London',
      },
    },
  })
  expect(await world.unitState()).toMatchObject({ door: 'closed', desiredVersion: 1, rejection: null })
})

test('a user removed from the rule is denied as soon as the unit has the next version', async () => {
  const unit = await world.workingUnit(url)
  await world.changePolicy(sql`delete from link where link_target = ${ids.nomsa}`)
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 2, appliedVersion: 2 }))
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
  await wait(async () => {
    const denied = (await world.events()).find(({ type }) => type === 'access.denied')
    expect(denied).toMatchObject({ user: ids.nomsa, reason: 'no_access', policyVersion: 2 })
    expect(denied?.reasons.at(-1)?.step).toBe('approval')
  })
})

test('a unit that has not confirmed its configuration gets no other, and then only the newest', async () => {
  const unit = await world.workingUnit(url)
  await unit.stop()
  const peer = await (await world.withNewKey()).greet(url, { highestVersion: 0 })
  const versions = () => peer.received.flatMap((frame) => (frame.type === 'config' ? [frame.version] : []))
  await wait(async () => expect(versions()).toEqual([1]))
  for (const version of [2, 3, 4]) {
    await world.changePolicy(sql`update door set door_name = ${`Bay ${version}`}`)
    await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: version }))
  }
  peer.send({ type: 'configRejected', version: 1, reason: 'no room' })
  await wait(async () => expect(versions()).toEqual([1, 4]))
})

test('a unit that missed a change is reported as out of sync, but not for decisions that were right at their time', async () => {
  const unit = await world.workingUnit(url)
  await unit.setFaults({ offline: true })
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  await unit.present(nomsasCard)
  await wait(async () => expect(unit.state().running?.pendingEvents).toBe(3))
  await world.changePolicy(sql`update credential set credential_status = 'lost' where credential_id = ${ids.card}`)
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 2 }))
  await unit.present(nomsasCard)
  await unit.setFaults({ offline: false })
  await wait(async () => {
    const granted = (await world.events()).filter(({ type }) => type === 'access.granted')
    expect(granted).toMatchObject([
      { reason: null, policyVersion: 1, user: ids.nomsa, data: { unitReason: null } },
      { reason: 'unit_out_of_step', policyVersion: 1, user: ids.nomsa, data: { outOfStep: true } },
    ])
    expect(granted[0]?.data).not.toHaveProperty('outOfStep')
    expect(granted[0]?.reasons.every(({ outcome }) => outcome !== 'refused')).toBe(true)
  })
  await wait(async () => expect(await world.unitState()).toMatchObject({ appliedVersion: 2 }))
  await unit.present(nomsasCard)
  await wait(async () => {
    const denied = (await world.events()).filter(({ type }) => type === 'access.denied')
    expect(denied).toMatchObject([{ reason: 'credential_lost' }])
  })
})

test('records that are sent again are stored once and in order', async () => {
  const unit = await world.workingUnit(url)
  await unit.setFaults({ duplicate: true })
  await Promise.all(Array.from({ length: 50 }, (_, at) => unit.present({ ...nomsasCard, number: `${at}` })))
  await unit.powerCut()
  await Promise.all(Array.from({ length: 50 }, (_, at) => unit.present({ ...nomsasCard, number: `${at}` })))
  await wait(async () => expect(unit.state().running?.pendingEvents).toBe(0))
  const own = (await world.events()).filter(({ log }) => log !== null)
  expect(own.map(({ seq }) => seq)).toEqual(Array.from({ length: 102 }, (_, at) => at + 1))
  const times = own.map(({ occurredAt }) => occurredAt)
  expect(times).toEqual(times.toSorted())
})

test('a restored database continues above what the unit has accepted', async () => {
  const unit = await world.workingUnit(url)
  await world.changePolicy(sql`delete from link where link_target = ${ids.nomsa}`)
  await wait(async () => expect(unit.state().running?.appliedVersion).toBe(2))
  await unit.setFaults({ offline: true })
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  await world.run(sql`delete from unit_config where unit_config_version = 2`)
  await world.run(sql`update unit_state set unit_state_desired_version = 1`)
  await unit.setFaults({ offline: false })
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 3, appliedVersion: 3 }))
  expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'grant' })
})

test('a version that no server can have sent is a fault of that unit alone, while the unit reports it', async () => {
  await world.workingUnit(url).then((unit) => unit.stop())
  const { greet } = await world.withNewKey()
  const hello = async (highestVersion: number) => {
    const peer = await greet(url, { highestVersion, at: '1970-01-01T00:00:00.000Z' })
    await wait(async () => expect(peer.received.map(({ type }) => type)).toContain('welcome'))
    return peer
  }
  const implausible = await hello(2_147_483_646)
  await wait(async () => expect(await world.unitState()).toMatchObject({ fault: 'implausible_version' }))
  expect((await world.events()).findLast(({ type }) => type === 'unit.sync_failed')?.data['note']).toEqual({
    code: 'implausible_version',
    version: 2_147_483_646,
  })
  expect(implausible.received.map(({ type }) => type)).not.toContain('config')
  await world.changePolicy(sql`delete from link where link_target = ${ids.nomsa}`)
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 2 }))
  implausible.socket.terminate()
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))

  const plausible = await hello(7)
  await wait(async () => expect(plausible.received.map(({ type }) => type)).toContain('config'))
  expect(await world.unitState()).toMatchObject({ fault: null, desiredVersion: 8 })
})

test('a record whose text the database cannot store is stored with that text replaced, and acknowledged', async () => {
  const unit = await world.workingUnit(url)
  await unit.present({ ...nomsasCard, number: 'nul \0, half \ud83d' })
  await wait(async () =>
    expect((await world.events()).findLast(({ type }) => type === 'access.denied')?.data['number']).toBe(
      'nul \ufffd, half \ufffd',
    ),
  )
  await wait(async () => expect(unit.state().running?.pendingEvents).toBe(0))
})

test('a unit goes offline with its connection, and its later events of that time are marked as backfilled', async () => {
  const unit = await world.workingUnit(url)
  await unit.setFaults({ offline: true, clockOffsetMs: -120_000 })
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline', holder: null }))
  await unit.present({ ...nomsasCard, number: 'of meanwhile' })
  await unit.setFaults({ offline: false, clockOffsetMs: 0 })
  await wait(async () =>
    expect((await world.events()).at(-1)).toMatchObject({ type: 'access.denied', backfilled: true }),
  )
  const types = await eventTypes()
  expect(types.filter((type) => type === 'unit.online')).toHaveLength(2)
  expect(types.filter((type) => type === 'unit.offline')).toHaveLength(1)
})

test('a wrong clock is reported, and its times are kept beside those of receipt', async () => {
  const unit = await world.workingUnit(url)
  await unit.setFaults({ offline: true })
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  await unit.setFaults({ offline: false, clockOffsetMs: 3_600_000 })
  await wait(async () => expect(await eventTypes()).toContain('unit.clock_wrong'))
  await unit.present({ ...nomsasCard, number: 'now' })
  await wait(async () => expect((await world.events()).at(-1)?.type).toBe('access.denied'))
  const event = (await world.events()).at(-1)
  expect(event?.data['clockWrong']).toBe(true)
  expect(event?.occurredAt).toBe(event?.receivedAt)
  expect(Date.parse(String(event?.data['deviceTime'])) - Date.parse(event?.receivedAt ?? '')).toBeGreaterThan(3_500_000)
})

const sizes = z.object({ capacity: z.unknown(), size: z.unknown() })
const capacities = () =>
  world.rows(sizes, sql`select unit_state_capacity as capacity, unit_state_config_size as size from unit_state`)
const waysOfEvents = z.object({ pending: z.int().nullable(), delayMs: z.int().nullable(), upTo: z.string().nullable() })
const delays = () =>
  world.rows(
    waysOfEvents,
    sql`select unit_state_pending_events as pending, unit_state_event_delay_ms as "delayMs",
           unit_state_backfilled_up_to as "upTo" from unit_state`,
  )

test('§3 a unit reports its capacity, and how much its configuration uses is stored beside it', async () => {
  await world.workingUnit(url)
  await wait(async () =>
    expect(await capacities()).toEqual([
      {
        capacity: { doors: 64, credentials: 100_000, schedules: 1_000, events: 100_000 },
        size: { doors: 1, credentials: 1, schedules: 0 },
      },
    ]),
  )
  await world.changePolicy(sql`delete from link where link_target = ${ids.nomsa}`)
  await wait(async () => expect((await capacities())[0]?.size).toEqual({ doors: 1, credentials: 0, schedules: 0 }))
})

test('§3 the heartbeat reports the delay of live events and the progress of the backfill', async () => {
  const peer = await world.peer(url)
  const { publicKey, privateKey } = generateKeys()
  const nonce = peer.nonce()
  const code = await world.code()
  peer.send({
    type: 'enrol',
    code,
    serial,
    publicKey,
    signature: signText(privateKey, enrolText({ nonce, code, serial })),
  })
  const signature = signText(privateKey, helloText({ nonce, unit: ids.unit }))
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
  peer.send({
    type: 'hello',
    unit: ids.unit,
    serial,
    signature,
    applied: null,
    highestVersion: 0,
    at: ago(0),
    nonce: ownNonce,
  })
  const [storedAt, live] = [ago(7_200), ago(30)]
  const record = { type: 'door', door: 1, configVersion: null, what: 'opened' }
  const bodies = [storedAt, live].map((at) => ({ ...record, at }))
  peer.send({ type: 'events', logId: uuidv7(), records: bodies.map((body, index) => ({ seq: index + 1, body })) })
  peer.send({ type: 'heartbeat', at: ago(0), pendingEvents: 3, applied: null })
  await wait(async () => {
    const [delay] = await delays()
    expect(delay).toMatchObject({ pending: 3, upTo: storedAt })
    expect(delay?.delayMs).toBeGreaterThan(20_000)
  })

  const [before] = await delays()
  peer.send({ type: 'heartbeat', at: ago(0), pendingEvents: 0, applied: null })
  await wait(async () => expect(await delays()).toEqual([{ pending: 0, upTo: null, delayMs: before?.delayMs }]))
})

test('the event and the audit log of an unlocked door name the user who requested it', async () => {
  const unit = await world.workingUnit(url)
  const unlock = { door: ids.door, account: world.accountKey, actor: nomsa }
  const { _id } = await requestUnlockOnce(world.database, unlock)
  const status = z.object({ status: z.string() })
  const query = sql`select unit_command_status as status from unit_command where unit_command_id = ${_id}`
  await wait(async () => expect(await world.rows(status, query)).toEqual([{ status: 'confirmed' }]))
  await wait(async () => {
    const event = (await world.events()).find(({ type }) => type === 'door.unlocked_once')
    expect(event).toMatchObject({ user: ids.nomsa, data: { names: { user: 'Nomsa Dlamini' } } })
  })

  await unit.stop()
  const states = sql`select unit_state_status as status from unit_state`
  await wait(async () => expect(await world.rows(status, states)).toEqual([{ status: 'offline' }]))
  const late = await requestUnlockOnce(world.database, unlock)
  expect(late).toMatchObject({ status: 'not_delivered', detail: 'not_connected' })
  await unit.start()
  await wait(async () => expect(unit.state().running?.isOnline).toBe(true))
  expect((await eventTypes()).filter((type) => type === 'door.unlocked_once')).toHaveLength(1)
  const entry = z.object({ action: z.string(), actor: z.string(), reason: z.string(), after: z.looseObject({}) })
  const entries = sql`select history_action as action, history_actor_name as actor, history_reason as reason,
    history_after as after from history where history_item = ${ids.door} order by history_at`
  const common = { action: 'unlock', actor: 'Nomsa Dlamini', reason: 'A stuck door' }
  expect(await world.rows(entry, entries)).toMatchObject([
    { ...common, after: { command: _id, outcome: 'requested', detail: null } },
    { ...common, after: { command: _id, outcome: 'confirmed', detail: null } },
    { ...common, after: { command: late._id, outcome: 'not_delivered', detail: 'not_connected', sentAt: null } },
  ])
})

/** A hyper user who acts inside the account for a reason. */
const nomsa = {
  person: { _id: ids.nomsa, name: 'Nomsa Dlamini' },
  account: { root: 0 },
  assumed: { _id: ids.account, key: 1, assumption: { _id: uuidv7(), reason: 'A stuck door' } },
  requestId: uuidv7(),
}
