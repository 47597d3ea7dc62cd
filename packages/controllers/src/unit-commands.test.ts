import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { generateKeys } from './keys.ts'
import { doorIds, type ScriptedServer, scriptedServer, unitId } from './scripted-server.ts'
import { card, config, door, pace, rule } from './test-configuration.ts'
import { VirtualUnit } from './virtual-unit.ts'

let dir: string
let server: ScriptedServer
let unit: VirtualUnit
const reports: string[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'unit-commands-'))
  server = await scriptedServer()
  reports.length = 0
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace, report: (sentence) => reports.push(sentence) })
  await unit.start()
  await unit.enrol('code')
  await vi.waitUntil(() => unit.state().running?.isOnline, patient)
  const may = { allow: [rule], deny: [] }
  const access = { team: { doors: { 1: may, 2: may } } }
  const doors = { 1: door, 2: { ...door, requiresRemoteAuth: true } }
  server.configure({ ...config, doors, access }, 1)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === 1, patient)
})
afterEach(async () => {
  await unit.stop()
  await server.close()
  await rm(dir, { recursive: true })
})

const patient = { timeout: 20_000 }
const soon = (check: () => void) => vi.waitFor(check, patient)
const results = () =>
  server.receivedOf('commandResult').map(({ outcome, detail = '' }) => `${outcome} ${detail}`.trim())
/** A record that was not acknowledged before a reconnect comes twice, under its number. */
const unlocks = () =>
  new Set(server.stored.flatMap(({ seq, body }) => (JSON.stringify(body).includes('unlocked_once') ? [seq] : []))).size
const stranger = generateKeys().privateKey
const anotherUnit = unitId.replace(/.$/, '2')

/** A genuine command is answered after all frames before it. */
async function settled() {
  const { id } = server.command({})
  server.send(server.command({ id, door: 9 }))
  await soon(() => expect(server.receivedOf('commandResult').map((result) => result.id)).toContain(id))
}

test('a unit refuses commands that the server has not signed for it and this connection, and runs the genuine one', async () => {
  const genuine = server.command({})
  server.send({ ...genuine, doorSignature: '' })
  server.send({ ...genuine, doorSignature: genuine.signature })
  server.send({ ...genuine, doorId: doorIds[1] })
  server.send(server.command({ id: genuine.id }, { signer: stranger }))
  server.send(server.command({ id: genuine.id }, { unit: anotherUnit }))
  server.send(server.command({ id: genuine.id }, { nonce: 'AAAA' }))
  server.send({ ...genuine, door: 2 })
  server.send({ ...genuine, timeToLiveMs: 3_600_000 })
  server.send({ ...genuine, at: new Date(Date.now() + 60_000).toISOString() })
  server.send({ ...genuine, request: unitId })
  await soon(() => expect(results()).toEqual(Array.from({ length: 10 }, () => 'refused not_signed')))
  expect(unlocks()).toBe(0)
  server.send(genuine)
  await soon(() => expect(results().at(-1)).toBe('done'))
  await soon(() => expect(unlocks()).toBe(1))
})

test.each(['on the same connection', 'on the next connection', 'after a power cut'])(
  'a recorded command opens no door %s',
  async (where) => {
    const recorded = server.command({})
    server.send(recorded)
    await soon(() => expect(results()).toEqual(['done']))
    if (where !== 'on the same connection') {
      if (where === 'after a power cut') await unit.powerCut()
      else server.cut()
      await soon(() => expect(server.receivedOf('hello')).toHaveLength(2))
      await soon(() => expect(unit.state().running?.isOnline).toBe(true))
    }
    server.send(recorded)
    await settled()
    const repeated = where === 'on the same connection' ? [] : ['refused not_signed']
    expect(results()).toEqual(['done', ...repeated, 'refused door_unknown'])
    await soon(() => expect(unlocks()).toBe(1))
  },
)

test('a command before the hello of a connection is refused', async () => {
  const recorded = server.command({})
  server.greetWith([recorded])
  server.cut()
  await soon(() => expect(results()).toEqual(['refused not_signed']))
})

test('a command that the network delayed is not run, even if forged times set the clock back', async () => {
  const late = server.command({ at: new Date(Date.now() - 20_000).toISOString() })
  const past = new Date(Date.now() - 30_000).toISOString()
  server.send({ type: 'heartbeatAck', at: past, signature: 'AAAA' })
  server.send({ type: 'welcome', unit: unitId, name: 'Front', heartbeatSeconds: 20, at: past, signature: 'AAAA' })
  server.send(late)
  await soon(() => expect(results()).toEqual(['expired']))
  expect(reports).toContain('ignored a time of the server: it is not signed for this connection')
})

test('a unit without a signed time of the server refuses commands', async () => {
  server.forgeClock()
  await unit.powerCut()
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.send(server.command({}))
  await soon(() => expect(results()).toEqual(['refused clock_unknown']))
})

test('a user at a reader waits despite forged and altered outcomes, until the genuine one', async () => {
  const waiting = unit.present({ ...card, door: 2 })
  await soon(() => expect(server.receivedOf('approvalRequest')).toHaveLength(1))
  const id = server.receivedOf('approvalRequest')[0]?.id ?? ''
  const genuine = server.approvalOutcome({ id, outcome: 'denied' })
  server.send({ ...genuine, signature: '' })
  server.send({ ...genuine, outcome: 'unavailable' })
  server.send(server.approvalOutcome({ id, outcome: 'timeout' }, { signer: stranger }))
  server.send(server.approvalOutcome({ id, outcome: 'timeout' }, { unit: anotherUnit }))
  server.send(server.approvalOutcome({ id, outcome: 'timeout' }, { nonce: 'AAAA' }))
  await settled()
  const ignored = `ignored the outcome of request ${id}: it is not signed for this connection`
  expect(reports.filter((sentence) => sentence === ignored)).toHaveLength(5)
  server.send(genuine)
  expect(await waiting).toEqual({ verdict: 'deny', reason: 'remote_denied' })
})

test('a forged grant opens no door for a user who waits', async () => {
  const waiting = unit.present({ ...card, door: 2 })
  await soon(() => expect(server.receivedOf('approvalRequest')).toHaveLength(1))
  const request = server.receivedOf('approvalRequest')[0]?.id ?? ''
  server.send(server.command({ door: 2, request }, { signer: stranger }))
  await soon(() => expect(results()).toEqual(['refused not_signed']))
  server.send(server.command({ door: 2, request }))
  expect(await waiting).toEqual({ verdict: 'grant', reason: null })
})

test('passages at other units count only if the server has signed them for this unit and this connection', async () => {
  const area = '01890000-0000-7000-8000-0000000000b1'
  const user = '01890000-0000-7000-8000-0000000000aa'
  const areas = { [area]: { kind: 'hard', minutes: 1, forgivenAllAt: null, forgivenAt: {} } as const }
  server.configure({ ...config, doors: { 1: { ...door, areas: [area] } }, areas }, 2)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(2))
  const passed = (direction: 'entry' | 'exit') => [{ area, user, direction, at: new Date().toISOString() }]
  const genuine = server.passages(passed('entry'))
  server.send({ ...genuine, signature: '' })
  server.send({ ...genuine, passages: passed('exit') })
  server.send({ ...genuine, upTo: new Date(0).toISOString() })
  server.send(server.passages(passed('entry'), { signer: stranger }))
  server.send(server.passages(passed('entry'), { unit: anotherUnit }))
  server.send(server.passages(passed('entry'), { nonce: 'AAAA' }))
  const ignored = 'ignored passages at other units: they are not signed for this connection'
  await soon(() => expect(reports.filter((sentence) => sentence === ignored)).toHaveLength(6))
  expect(await unit.present(card)).toEqual({ verdict: 'grant', reason: null })
  await soon(() => expect(unit.state().running?.doors).toMatchObject([{ position: 'closed' }]))
  server.send(server.passages(passed('exit')))
  await expect
    .poll(() => unit.present({ ...card, direction: 'exit' }), patient)
    .toMatchObject({ reason: 'antipassback' })
})

test('a credential is blocked only by the server, at once, through a power cut, and until it is unblocked', async () => {
  const block = await nameCredentials()
  const forged = server.blocklist({ block })
  server.send({ ...forged, signature: '' })
  server.send({ ...forged, block: [...block, anotherUnit] })
  server.send(server.blocklist({ block }, { signer: stranger }))
  server.send(server.blocklist({ block }, { unit: anotherUnit }))
  server.send(server.blocklist({ block }, { nonce: 'AAAA' }))
  const ignored = 'ignored a list of blocked credentials: it is not signed for this connection'
  await soon(() => expect(reports.filter((sentence) => sentence === ignored)).toHaveLength(5))
  expect(await unit.present(card)).toEqual({ verdict: 'grant', reason: null })
  server.send(server.blocklist({ block }))
  const unknown = { verdict: 'deny', reason: 'credential_unknown' }
  await expect.poll(() => unit.present(card), patient).toEqual(unknown)
  await unit.powerCut()
  expect(await unit.present(card)).toEqual(unknown)
  await soon(() => expect(server.receivedOf('hello').at(-1)?.blocked).toEqual(block))
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.send(server.blocklist({ unblock: block }))
  await expect.poll(() => unit.present(card), patient).toMatchObject({ verdict: 'grant' })
})

test('a configuration without a blocked credential ends the block', async () => {
  const block = await nameCredentials()
  server.send(server.blocklist({ block }))
  await soon(() => expect(unit.state().running?.blocked).toEqual(block))
  server.configure({ ...config, credentials: {} }, 3)
  await soon(() => expect(unit.state().running).toMatchObject({ appliedVersion: 3, blocked: [] }))
})

/** Applies a configuration whose credentials have an id that frames can contain; returns this id. */
async function nameCredentials() {
  const _id = '01890000-0000-7000-8000-0000000000c1'
  const credentials = Object.entries(config.credentials).map(([key, each]) => [key, { ...each, _id }] as const)
  server.configure({ ...config, credentials: Object.fromEntries(credentials) }, 2)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(2))
  return [_id]
}

test('a command does not open a door of a shared interlock without an answer, and asks about none that is disabled', async () => {
  const shared = { ...door, sharedInterlock: true }
  server.configure({ ...config, doors: { 1: shared, 2: { ...shared, _id: doorIds[1], enabled: false } } }, 2)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === 2, patient)
  server.send(server.command({}))
  server.send(server.command({ door: 2, doorId: doorIds[1] }))
  await soon(() => expect(results()).toEqual(['refused door_disabled', 'refused interlock_unavailable']))
  expect(server.receivedOf('interlockRequest').map(({ door: number }) => number)).toEqual([1])
  expect(unlocks()).toBe(0)
})

test('a user at a reader waits no longer once the approved command is late, because the server did not answer about the interlock', async () => {
  const shared = { ...door, _id: doorIds[1], requiresRemoteAuth: true, sharedInterlock: true }
  const access = { team: { doors: { 2: { allow: [rule], deny: [] } } } }
  server.configure({ ...config, doors: { 2: shared }, access }, 2)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === 2, patient)
  const waiting = unit.present({ ...card, door: 2 })
  await soon(() => expect(server.receivedOf('approvalRequest')).toHaveLength(1))
  const request = server.receivedOf('approvalRequest')[0]?.id ?? ''
  server.send(server.command({ door: 2, doorId: doorIds[1], request, timeToLiveMs: 1_000 }))
  expect(await waiting).toEqual({ verdict: 'deny', reason: 'remote_unavailable' })
  await soon(() => expect(results()).toEqual(['expired']))
})

test('a unit reports its doors as soon as a configuration shares their interlock, and when none does so any longer', async () => {
  server.configure({ ...config, doors: { 1: { ...door, sharedInterlock: true } } }, 2)
  await soon(() =>
    expect(server.receivedOf('interlockState')).toMatchObject([{ doors: [{ door: 1, isSecure: true }] }]),
  )
  server.configure({ ...config, doors: { 1: door } }, 3)
  await soon(() =>
    expect(server.receivedOf('interlockState').at(-1)).toMatchObject({ doors: [{ door: 1, isSecure: false }] }),
  )
})

test('a door that a mode holds unlocked is asked about with each heartbeat, and locked unless the others are known to be closed and locked', async () => {
  const held = await heldDoor()
  await held.askedAgain()
  expect(held.lock()).toBe('unlocked')
  held.answer('clear')
  for (const refusal of ['open', 'unknown'] as const) {
    await held.askedAgain()
    held.answer(refusal)
    await soon(() => expect(held.lock()).toBe('locked'))
    await held.askedAgain()
    held.answer('clear')
    await soon(() => expect(held.lock()).toBe('unlocked'))
  }
})

test('a door that a mode holds unlocked stays so without an answer, and is asked about again after a reconnection', async () => {
  const held = await heldDoor()
  await held.askedAgain()
  server.cut()
  await held.asked()
  expect(held.lock()).toBe('unlocked')
  held.answer('open')
  await soon(() => expect(held.lock()).toBe('locked'))
})

/** A door that shares an interlock, and that a mode holds unlocked after one question. */
async function heldDoor() {
  let count = 0
  server.configure({ ...config, doors: { 1: { ...door, sharedInterlock: true } } }, 2)
  server.send(server.doorMode({ mode: 'unlocked' }))
  await asked()
  answer('clear')
  await soon(() => expect(lock()).toBe('unlocked'))
  return { asked, answer, lock, askedAgain }

  async function asked() {
    count += 1
    await soon(() => expect(server.receivedOf('interlockRequest')).toHaveLength(count))
  }
  async function askedAgain() {
    server.send({ type: 'heartbeatRequest', id: unitId })
    await asked()
  }
  function answer(outcome: 'clear' | 'open' | 'unknown') {
    const id = server.receivedOf('interlockRequest').at(-1)?.id ?? ''
    server.send(server.interlockAnswer({ id, outcome }))
  }
  function lock() {
    return unit.state().running?.doors[0]?.lock
  }
}
