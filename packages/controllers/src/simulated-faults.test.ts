import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { credentialKey } from './credential-key.ts'
import { type ScriptedServer, scriptedServer, secret } from './scripted-server.ts'
import { card, config, holder, pace } from './test-configuration.ts'
import { VirtualUnit } from './virtual-unit.ts'

/** Waits until a condition is true, even on a busy machine. */
const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000 })

let dir: string
let server: ScriptedServer
let unit: VirtualUnit
let drawn: number
beforeEach(async () => {
  drawn = 0
  dir = await mkdtemp(join(tmpdir(), 'simulated-faults-'))
  server = await scriptedServer()
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace, random: () => (++drawn % 10) / 10 })
  await unit.start()
})
afterEach(async () => {
  await unit.stop()
  await server.close()
  await rm(dir, { recursive: true })
})

async function enrolAndConfigure() {
  await unit.enrol('code')
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.configure(config, 1)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(1))
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
}

/** Presents cards of no user; each gives one record. */
async function presentUnknown(count: number) {
  for (let number = 0; number < count; number++) await unit.present({ ...card, number: `unknown ${number}` })
}

test('lost messages end the connection, and each record arrives nevertheless', async () => {
  await enrolAndConfigure()
  const connections = server.receivedOf('hello').length
  // Each tenth message.
  await unit.setFaults({ lossPercent: 10 })
  for (let round = 0; round < 10; round++) {
    await presentUnknown(4)
    await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  }
  expect(server.receivedOf('hello').length).toBeGreaterThan(connections + 1)
  const seqs = new Set(server.stored.map(({ seq }) => seq))
  expect([...seqs].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, at) => at + 1))
  await unit.setFaults({ lossPercent: 100 })
  await presentUnknown(1)
  await soon(() => expect(unit.state().running?.offlineReason).toBe('A message was lost, and the connection with it.'))
  await unit.setFaults({ lossPercent: 0 })
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
})

test('records in random order arrive each once, under their numbers', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ offline: true })
  await presentUnknown(12)
  await unit.setFaults({ offline: false, reordered: true })
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  const seqs = server.stored.map(({ seq }) => seq)
  const inOrder = Array.from({ length: 13 }, (_, at) => at + 1)
  expect(seqs).not.toEqual(inOrder)
  expect(seqs.toSorted((a, b) => a - b)).toEqual(inOrder)
})

test('damaged records arrive under their numbers, and cannot be read', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ unreadable: true })
  await presentUnknown(2)
  await unit.setFaults({ unreadable: false })
  await presentUnknown(1)
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  expect(server.stored.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(server.stored.map(({ body }) => unitRecord.safeParse(body).success)).toEqual([true, false, false, true])
})

test('a unit that loses its log begins a new one, and what was in it never arrives', async () => {
  await enrolAndConfigure()
  server.acknowledge('nothing')
  await presentUnknown(3)
  expect(unit.state().running?.pendingEvents).toBe(3)
  await unit.loseLog()
  server.acknowledge('everything')
  server.cut()
  const [first] = server.stored
  const seqsOf = (isFirst: boolean) =>
    new Set(server.stored.filter(({ logId }) => (logId === first?.logId) === isFirst).map(({ seq }) => seq))
  await soon(() => expect(seqsOf(false)).toEqual(new Set([1])))
  expect(seqsOf(true)).toEqual(new Set([1]))
  expect(unit.state().running).toMatchObject({ appliedVersion: 1 })
})

test('a unit with less room reports it in a new hello, and refuses a configuration that exceeds it', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ maxDoors: 1, maxCredentials: 1 })
  const hellos = () => server.receivedOf('hello').map(({ capacity }) => capacity)
  await soon(() => expect(hellos().at(-1)).toMatchObject({ doors: 1, credentials: 1, schedules: 1_000 }))
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  const another = { [credentialKey(secret, '4712')]: { _id: 'other', holder, validFrom: null, validUntil: null } }
  const larger = { ...config, credentials: { ...config.credentials, ...another } }
  server.configure(larger, 2)
  await soon(() =>
    expect(server.receivedOf('configRejected').at(-1)?.reason).toBe('no_room: 2 credentials, of at most 1'),
  )
  const count = hellos().length
  await unit.setFaults({ duplicate: true, maxCredentials: 1 })
  await unit.setFaults({ maxDoors: 64, maxCredentials: 2 })
  await soon(() => expect(hellos().slice(count)).toEqual([expect.objectContaining({ doors: 64, credentials: 2 })]))
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.configure(larger, 3)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(3))
})

test('a unit with less room for schedules refuses a configuration that exceeds it', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ maxSchedules: 0 })
  await soon(() => expect(server.receivedOf('hello').at(-1)?.capacity?.schedules).toBe(0))
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  const holidayHours = { public: 'closed', company: 'closed', special: 'closed' } as const
  server.configure({ ...config, schedules: { office: { windows: [], holidayHours } } }, 2)
  await soon(() =>
    expect(server.receivedOf('configRejected').at(-1)?.reason).toBe('no_room: 1 schedules, of at most 0'),
  )
})

test('a unit with less room for events keeps the newest ones, and reports the others as lost', async () => {
  await enrolAndConfigure()
  server.acknowledge('nothing')
  await presentUnknown(100)
  await unit.setFaults({ maxEvents: 10 })
  await soon(() => expect(server.receivedOf('hello').at(-1)?.capacity?.events).toBe(10))
  await presentUnknown(1)
  server.stored.length = 0
  server.acknowledge('everything')
  server.cut()
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  const bodies = server.stored.map(({ body }) => unitRecord.parse(body))
  expect(bodies[0]).toMatchObject({ type: 'unit', what: 'log_gap', detail: 'Lost 100 records: the log was full.' })
  expect(server.stored.map(({ seq }) => seq)).toEqual([101, 102])
})

/** The unit ends the connection because it could not store a frame; it need not wait to connect again. */
async function connectAgain() {
  await soon(() => expect(unit.state().running?.isOnline).toBe(false))
  await unit.setFaults({ diskFails: true })
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
}

test('a unit whose disk refuses to write still decides, and confirms only what it has stored', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ diskFails: true })
  expect(await unit.present(card)).toMatchObject({ verdict: 'grant' })
  const hellos = () => server.receivedOf('hello')
  const count = hellos().length
  server.configure(config, 2)
  server.send(server.doorMode({ mode: 'unlocked', until: '2099-01-01T00:00:00.000Z' }))
  await connectAgain()
  expect(hellos().length).toBeGreaterThan(count)
  expect(hellos().at(-1)).toMatchObject({ applied: { version: 1 }, highestVersion: 1, doorModes: [] })
  expect(server.receivedOf('configApplied').map(({ version }) => version)).toEqual([1])
  expect(server.receivedOf('doorModeApplied')).toEqual([])
  expect(await unit.present(card)).toMatchObject({ verdict: 'grant' })

  await unit.setFaults({ diskFails: false })
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.configure(config, 2)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(2))
  await presentUnknown(1)
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  expect(server.stored.map(({ seq }) => seq)).toEqual(server.stored.map((_, at) => at + 1))
  const gap = unitRecord.parse(server.stored[1]?.body)
  expect(gap).toMatchObject({ type: 'unit', what: 'log_gap' })
  expect(JSON.stringify(gap)).toMatch(/"Lost \d+ records: the disk refused them\."/)
})

test('a lockdown applies although the disk refuses it, and is confirmed once it is stored', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ diskFails: true })
  const hellos = () => server.receivedOf('hello')
  const count = hellos().length
  server.send(server.doorMode({ version: 2 }))
  await soon(async () => expect(await unit.present(card)).toEqual({ verdict: 'deny', reason: 'door_locked_down' }))
  await connectAgain()
  expect(hellos().length).toBeGreaterThan(count)
  expect(hellos().at(-1)).toMatchObject({ doorModes: [] })
  expect(server.receivedOf('doorModeApplied')).toEqual([])
  await unit.setFaults({ diskFails: false })
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.send(server.doorMode({ version: 1, mode: 'normal' }))
  server.send(server.doorMode({ version: 2 }))
  await soon(() =>
    expect(server.receivedOf('doorModeApplied').at(-1)).toMatchObject({ version: 2, stored: { mode: 'lockdown' } }),
  )
  await unit.powerCut()
  expect(await unit.present(card)).toEqual({ verdict: 'deny', reason: 'door_locked_down' })
})

test('a unit whose disk refuses to write blocks a credential, and names it in its hello once it is stored', async () => {
  const _id = '01890000-0000-7000-8000-0000000000c1'
  const credentials = { [credentialKey(secret, '4711')]: { _id, holder, validFrom: null, validUntil: null } }
  await enrolAndConfigure()
  server.configure({ ...config, credentials }, 2)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(2))
  await unit.setFaults({ diskFails: true })
  const hellos = () => server.receivedOf('hello')
  server.send(server.blocklist({ block: [_id] }))
  await soon(async () => expect(await unit.present(card)).toEqual({ verdict: 'deny', reason: 'credential_unknown' }))
  const count = hellos().length
  server.cut()
  await soon(() => expect(hellos().length).toBeGreaterThan(count))
  expect(hellos().at(-1)).toMatchObject({ blocked: [] })
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  await unit.setFaults({ diskFails: false })
  // Each list is stored together with the earlier ones.
  server.send(server.blocklist({ unblock: ['01890000-0000-7000-8000-0000000000c2'] }))
  await soon(() => expect(hellos().at(-1)).toMatchObject({ blocked: [_id] }))
  await unit.powerCut()
  expect(await unit.present(card)).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
})
