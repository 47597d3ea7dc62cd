import { generateKeys, signText } from '@portcullis/controllers/keys'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard, ownNonce, serial } from './test-world.ts'

let world: GatewayWorld
let url: string
beforeEach(async () => {
  world = await gatewayWorld()
  url = (await world.startServer()).url
})
afterEach(() => world.close())

const noUnitSentence =
  'No unit with this id is enrolled here. Create an enrolment code under Controllers in the console, and enrol with it.'
const patient = { timeout: 120_000, interval: 50 }
const wait = (check: () => Promise<void>) => vi.waitFor(check, patient)
const eventTypes = async () => (await world.events()).map(({ type }) => type)

test('of 12 connections of a unit at once one is admitted, and those that would have to wait end', async () => {
  const unit = await world.workingUnit(url)
  await unit.stop()
  const { greet } = await world.withNewKey()
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
  await world.workingUnit(url)
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
  await world.workingUnit(url).then((unit) => unit.stop())
  const { greet } = await world.withNewKey()
  const first = await greet(url)
  await wait(async () => expect(first.received.map(({ type }) => type)).toContain('welcome'))
  expect(await (await greet(url)).refusal()).toMatchObject({ code: 'already_connected' })
  first.socket.pause()
  const third = await greet(url)
  await wait(async () => expect(third.received.map(({ type }) => type)).toContain('welcome'))
})

test.each(['the same server', 'another server'])('a new key takes the place of the old one on %s', async (where) => {
  const unit = await world.workingUnit(url)
  const place = where === 'the same server' ? url : (await world.startServer()).url
  const replacement = await world.enrolledUnit(place)
  await wait(async () => expect(replacement.state().running).toMatchObject({ isOnline: true }))
  await wait(async () => expect(unit.state().running).toMatchObject({ isOnline: false }))
  expect(unit.state().running?.offlineReason).toMatch(/key_replaced|bad_signature/)
})

test('hardware that enrols with another key makes the server forget the reports of the earlier one', async () => {
  await world.workingUnit(url).then((unit) => unit.stop())
  const { publicKey, privateKey } = generateKeys()
  const code = await world.code()
  const peer = await world.peer(url)
  const signature = signText(privateKey, enrolText({ nonce: peer.nonce(), code, serial }))
  peer.send({ type: 'enrol', code, serial, publicKey, signature })
  await wait(async () => expect(peer.received.map(({ type }) => type)).toContain('enrolled'))
  expect(await world.unitState()).toMatchObject({ desiredVersion: null })
  const reported = sql`select from unit_state where unit_state_address is not null or unit_state_pending_events is not null`
  expect(await world.run(reported)).toBe(0)
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
  const unit = await world.workingUnit(url)
  await world.changePolicy(sql`update unit set unit_in_service = false`)
  await wait(async () => expect(unit.state().running?.offlineReason).toContain('out_of_service'))
  expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'deny', reason: 'unit_out_of_service' })
  expect((await eventTypes()).filter((type) => type === 'unit.online')).toHaveLength(1)
  await world.changePolicy(sql`update unit set unit_in_service = true`)
  await wait(async () => expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'grant' }))
})

test('a unit that was disabled while it was away gets the configuration that closes its doors', async () => {
  const unit = await world.workingUnit(url)
  await unit.setFaults({ offline: true })
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  await world.changePolicy(sql`update unit set unit_in_service = false`)
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 2 }))
  await unit.setFaults({ offline: false })
  await wait(async () => expect(unit.state().running).toMatchObject({ appliedVersion: 2, isOnline: false }))
})

test('a unit whose server dies is offline when the lease has run out, whichever server notices', async () => {
  await world.workingUnit(url)
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
  await world.workingUnit(url).then((unit) => unit.stop())
  const second = await world.startServer()
  const { greet } = await world.withNewKey()
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
  const { greet } = await world.withNewKey()
  const codes = Array.from({ length: 60 }, async () => (await (await greet(url)).refusal())?.code)
  expect(new Set(await Promise.all(codes))).toEqual(new Set(['out_of_service']))
  await wait(async () => expect(await eventTypes()).toContain('unit.refused'))
  const { publicKey, privateKey } = generateKeys()
  const peer = await world.peer(url)
  const signature = signText(privateKey, enrolText({ nonce: peer.nonce(), code: 'wrong', serial }))
  peer.send({ type: 'enrol', code: 'wrong', serial, publicKey, signature })
  expect((await peer.refusal())?.code).toBe('bad_code')
})
