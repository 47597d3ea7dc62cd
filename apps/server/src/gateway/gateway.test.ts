import { generateKeys, signText } from '@portcullis/controllers/keys'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { requestUnlockOnce } from '../commands/commands.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard, serial } from './test-world.ts'

let world: GatewayWorld
let url: string
beforeEach(async () => {
  world = await gatewayWorld()
  url = (await world.startServer()).url
})
afterEach(() => world.close())

const noUnitSentence =
  'No unit with this id is enrolled here. Create an enrolment code under Controllers in the console, and enrol with it.'
/** The nonce of raw peers. */
const ownNonce = Buffer.alloc(32).toString('base64')
const patient = { timeout: 120_000, interval: 50 }
const wait = (check: () => Promise<void>) => vi.waitFor(check, patient)
const eventTypes = async () => (await world.events()).map(({ type }) => type)

async function workingUnit() {
  const unit = await world.enrolledUnit(url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 }))
  return unit
}

/** Gives the unit another key; `greet` connects as a unit with that key. */
async function withNewKey() {
  const keys = generateKeys()
  await world.run(sql`update unit_secret set unit_secret_public_key = ${Buffer.from(keys.publicKey, 'base64')}`)
  return {
    async greet(place: string, { highestVersion = 1, at = new Date().toISOString() } = {}) {
      const peer = await world.peer(place)
      const signature = signText(keys.privateKey, helloText({ nonce: peer.nonce(), unit: ids.unit }))
      peer.send({
        type: 'hello',
        unit: ids.unit,
        serial,
        signature,
        applied: null,
        highestVersion,
        at,
        nonce: ownNonce,
      })
      return peer
    },
  }
}

test('a unit enrols and gets its configuration, and a card at its door is an event with its reason', async () => {
  const unit = await workingUnit()
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
  const unit = await workingUnit()
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
  const unit = await workingUnit()
  await unit.stop()
  const peer = await (await withNewKey()).greet(url, { highestVersion: 0 })
  const versions = () => peer.received.flatMap((frame) => (frame.type === 'config' ? [frame.version] : []))
  await wait(async () => expect(versions()).toEqual([1]))
  for (const version of [2, 3, 4]) {
    await world.changePolicy(sql`update door set door_name = ${`Bay ${version}`}`)
    await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: version }))
  }
  peer.send({ type: 'configRejected', version: 1, reason: 'no room' })
  await wait(async () => expect(versions()).toEqual([1, 4]))
})

test('of 12 connections of a unit at once one is admitted, and those that would have to wait end', async () => {
  const unit = await workingUnit()
  await unit.stop()
  const { greet } = await withNewKey()
  const peers = await Promise.all(Array.from({ length: 12 }, () => greet(url)))
  const answers = () =>
    peers.flatMap(({ received }) =>
      received.flatMap((frame) => {
        if (frame.type === 'refused') return [frame.code]
        return frame.type === 'welcome' ? ['welcome'] : []
      }),
    )
  await wait(async () => expect(answers()).toHaveLength(12))
  expect(answers().filter((answer) => answer === 'welcome')).toHaveLength(1)
  expect(answers()).toContain('too_many_connections')
})

test('a unit that missed a change is reported as out of sync, but not for decisions that were right at their time', async () => {
  const unit = await workingUnit()
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
  const unit = await workingUnit()
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

test('a code enrols one unit once, also when two come at the same moment', async () => {
  const code = await world.code()
  const two = [await world.startUnit(url), await world.startUnit(url)]
  const outcomes = await Promise.allSettled(two.map((unit) => unit.enrol(code)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(String(refused?.reason)).toContain('already_enrolled: This code was used by a unit with another key.')
  await wait(async () => expect(await eventTypes()).toContain('unit.refused'))
})

test('a wrong, an expired and a replaced code are refused', async () => {
  const unit = await world.startUnit(url)
  await expect(unit.enrol('AAAA-BBBB-CCCC')).rejects.toThrow('bad_code: The enrolment code is wrong')
  const replaced = await world.code()
  const expired = await world.code()
  await expect(unit.enrol(replaced)).rejects.toThrow('bad_code')
  await world.run(sql`update unit_enrolment set unit_enrolment_expires_at = now()`)
  await expect(unit.enrol(expired)).rejects.toThrow('bad_code')
})

test('a unit with another serial than the console’s is refused, and its code can be used again', async () => {
  await world.run(sql`update unit set unit_serial = 'PC-2'`)
  const unit = await world.startUnit(url)
  const code = await world.code()
  await expect(unit.enrol(code)).rejects.toThrow('serial_mismatch')
  await world.run(sql`update unit set unit_serial = ${serial}`)
  await unit.enrol(code)
})

test('an unknown unit, a wrong signature and an unknown frame are refused with the remedy, and recorded as events', async () => {
  await workingUnit()
  const keys = generateKeys()
  const hello = {
    type: 'hello',
    serial,
    applied: null,
    highestVersion: 0,
    at: new Date().toISOString(),
    nonce: ownNonce,
  }
  const refusalOf = async (frameFor: (nonce: string) => object) => {
    const peer = await world.peer(url)
    peer.send(frameFor(peer.nonce()))
    return peer.refusal()
  }
  const signed = (nonce: string, unit: string) => signText(keys.privateKey, helloText({ nonce, unit }))
  const unknown = uuidv7()
  expect(await refusalOf((nonce) => ({ ...hello, unit: unknown, signature: signed(nonce, unknown) }))).toMatchObject({
    code: 'unknown_unit',
    message: noUnitSentence,
  })
  expect(await refusalOf((nonce) => ({ ...hello, unit: ids.unit, signature: signed(nonce, ids.unit) }))).toMatchObject({
    code: 'bad_signature',
  })
  const enrol = { type: 'enrol', code: 'x', serial, publicKey: keys.publicKey }
  const signature = signText(keys.privateKey, enrolText({ nonce: 'b2xk', code: 'x', serial }))
  expect(await refusalOf(() => ({ ...enrol, signature }))).toMatchObject({ code: 'bad_signature' })
  const malformed = await refusalOf(() => ({ type: 'hallo' }))
  expect(malformed?.code).toBe('malformed')
  expect(malformed?.message).toContain("At type: Invalid discriminator value. Expected 'enrol' | 'hello'")
  const heartbeat = { type: 'heartbeat', at: new Date().toISOString(), pendingEvents: 0, applied: null }
  expect(await refusalOf(() => heartbeat)).toMatchObject({ code: 'unexpected' })
  await wait(async () => {
    const refused = (await world.events()).filter(({ type }) => type === 'unit.refused')
    const notes = refused.map(({ data }) => data['note'])
    expect(notes).toHaveLength(4)
    const note = { code: 'connection_refused', address: '127.0.0.1', serial, repeated: 0 }
    expect(notes).toEqual(expect.arrayContaining([expect.objectContaining(note)]))
  })
})

test('a connection without the subprotocol is refused with the one to request', async () => {
  const socket = new WebSocket(url)
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('unexpected-response', (_, response) => response.once('data', (text) => resolve(String(text))))
  expect(await promise).toBe('Ask for the subprotocol portcullis.unit.v1.')
  socket.once('error', () => {})
  socket.terminate()
})

test('a second unit of the same name is refused while the first one answers, and accepted when it does not', async () => {
  await workingUnit().then((unit) => unit.stop())
  const { greet } = await withNewKey()
  const first = await greet(url)
  await wait(async () => expect(first.received.map(({ type }) => type)).toContain('welcome'))
  expect(await (await greet(url)).refusal()).toMatchObject({ code: 'already_connected' })
  first.socket.pause()
  const third = await greet(url)
  await wait(async () => expect(third.received.map(({ type }) => type)).toContain('welcome'))
})

test.each(['the same server', 'another server'])('a new key takes the place of the old one on %s', async (where) => {
  const unit = await workingUnit()
  const place = where === 'the same server' ? url : (await world.startServer()).url
  const replacement = await world.enrolledUnit(place)
  await wait(async () => expect(replacement.state().running).toMatchObject({ isOnline: true }))
  await wait(async () => expect(unit.state().running).toMatchObject({ isOnline: false }))
  expect(unit.state().running?.offlineReason).toMatch(/key_replaced|bad_signature/)
})

test('a revoked unit is disconnected at once on every server, and refused until it enrols again', async () => {
  const second = await world.startServer()
  const unit = await world.enrolledUnit(second.url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', desiredVersion: 1 }))
  await world.run(sql`update unit set unit_enrolled_at = null`)
  await wait(async () => expect(unit.state().running?.offlineReason).toContain('unknown_unit'))
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline', desiredVersion: null }))
  await unit.enrol(await world.code())
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', desiredVersion: 2 }))
})

test('a disabled unit closes its doors, is then disconnected, and is accepted again when it is enabled', async () => {
  const unit = await workingUnit()
  await world.changePolicy(sql`update unit set unit_in_service = false`)
  await wait(async () => expect(unit.state().running?.offlineReason).toContain('out_of_service'))
  expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'deny', reason: 'unit_out_of_service' })
  expect((await eventTypes()).filter((type) => type === 'unit.online')).toHaveLength(1)
  await world.changePolicy(sql`update unit set unit_in_service = true`)
  await wait(async () => expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'grant' }))
})

test('a unit that was disabled while it was away gets the configuration that closes its doors', async () => {
  const unit = await workingUnit()
  await unit.setFaults({ offline: true })
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  await world.changePolicy(sql`update unit set unit_in_service = false`)
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 2 }))
  await unit.setFaults({ offline: false })
  await wait(async () => expect(unit.state().running).toMatchObject({ appliedVersion: 2, isOnline: false }))
})

test('a restored database continues above what the unit has accepted', async () => {
  const unit = await workingUnit()
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
  await workingUnit().then((unit) => unit.stop())
  const { greet } = await withNewKey()
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
  const unit = await workingUnit()
  await unit.present({ ...nomsasCard, number: 'nul \0, half \ud83d' })
  await wait(async () =>
    expect((await world.events()).findLast(({ type }) => type === 'access.denied')?.data['number']).toBe(
      'nul \ufffd, half \ufffd',
    ),
  )
  await wait(async () => expect(unit.state().running?.pendingEvents).toBe(0))
})

test('a unit goes offline with its connection, and its later events of that time are marked as backfilled', async () => {
  const unit = await workingUnit()
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

test('a unit whose server dies is offline when the lease has run out, whichever server notices', async () => {
  await workingUnit()
  await world.run(sql`update unit_state set unit_state_lease_holder = ${uuidv7()}, unit_state_lease_until = now()`)
  await wait(async () => expect(await eventTypes()).toContain('unit.offline'))
  // Its unit, disconnected by the server that lost the lease, reconnects.
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online' }))
})

test('a server that takes over from a dead one does not wait for its leases', async () => {
  const first = await world.startServer()
  const unit = await world.enrolledUnit(first.url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online' }))
  await unit.stop()
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  const dead = uuidv7()
  await world.run(
    sql`update unit_state set unit_state_status = 'online', unit_state_lease_holder = ${dead},
      unit_state_lease_until = now() + interval '1 hour'`,
  )
  await unit.start()
  await wait(async () => expect(unit.state().running?.isOnline).toBe(true))
})

test('a unit that another living server holds is refused here', async () => {
  await workingUnit().then((unit) => unit.stop())
  const second = await world.startServer()
  const { greet } = await withNewKey()
  const first = await greet(url)
  await wait(async () => expect(first.received.map(({ type }) => type)).toContain('welcome'))
  expect(await (await greet(second.url)).refusal()).toMatchObject({ code: 'already_connected' })
})

test('a server that stops in order releases its units without reporting them offline', async () => {
  const first = await world.startServer()
  const unit = await world.enrolledUnit(first.url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online' }))
  await first.stop()
  await wait(async () => expect(unit.state().running?.isOnline).toBe(false))
  expect(await world.unitState()).toMatchObject({ status: 'online', holder: null })
})

test('a wrong clock is reported, and its times are kept beside those of receipt', async () => {
  const unit = await workingUnit()
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
  await workingUnit()
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

test('behind a proxy, failed enrolments of one client stop no other, and never a unit with a valid signature', async () => {
  const { url: behindProxy } = await world.startServer({ trustedProxies: ['127.0.0.1'] })
  const { publicKey, privateKey } = generateKeys()
  const enrolAs = async ({ from, code, as }: { from: string; code: string; as: string }) => {
    const peer = await world.peer(behindProxy, { 'x-forwarded-for': from })
    const signature = signText(privateKey, enrolText({ nonce: peer.nonce(), code, serial: as }))
    peer.send({ type: 'enrol', code, serial: as, publicKey, signature })
    return peer
  }
  const enrolFrom = async (from: string) => {
    const peer = await enrolAs({ from, code: 'wrong', as: from })
    return (await peer.refusal())?.code
  }
  const failed = await Promise.all(Array.from({ length: 60 }, (_, host) => enrolFrom(`2001:db8::${host}`)))
  expect(new Set(failed)).toEqual(new Set(['bad_code']))
  expect(await enrolFrom('2001:db8::ffff')).toBe('too_many_attempts')
  expect(await enrolFrom('2001:db8:0:1::1')).toBe('bad_code')
  const enrolling = await enrolAs({ from: '2001:db8:0:1::1', code: await world.code(), as: serial })
  await wait(async () => expect(enrolling.received.map(({ type }) => type)).toContain('enrolled'))
  enrolling.socket.terminate()
  const peer = await world.peer(behindProxy, { 'x-forwarded-for': '2001:db8::1' })
  const signature = signText(privateKey, helloText({ nonce: peer.nonce(), unit: ids.unit }))
  const at = new Date().toISOString()
  peer.send({ type: 'hello', unit: ids.unit, serial, signature, applied: null, highestVersion: 0, at, nonce: ownNonce })
  await wait(async () => expect(peer.received.map(({ type }) => type)).toContain('welcome'))
})

test('refusals of disabled units that have proved their identity stop no enrolment from their network', async () => {
  await world.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
    values (${ids.unit}, 'none', 'none')`)
  await world.run(sql`update unit set unit_in_service = false`)
  const { greet } = await withNewKey()
  const codes = Array.from({ length: 60 }, async () => (await (await greet(url)).refusal())?.code)
  expect(new Set(await Promise.all(codes))).toEqual(new Set(['out_of_service']))
  await wait(async () => expect(await eventTypes()).toContain('unit.refused'))
  const { publicKey, privateKey } = generateKeys()
  const peer = await world.peer(url)
  const signature = signText(privateKey, enrolText({ nonce: peer.nonce(), code: 'wrong', serial }))
  peer.send({ type: 'enrol', code: 'wrong', serial, publicKey, signature })
  expect((await peer.refusal())?.code).toBe('bad_code')
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
  const unit = await workingUnit()
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
