import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { credentialKey } from './credential-key.ts'
import { isSigned } from './keys.ts'
import { type ScriptedServer, scriptedServer, secret, unitId } from './scripted-server.ts'
import { card, config, holder, pace } from './test-configuration.ts'
import { VirtualUnit } from './virtual-unit.ts'

/** Waits until a condition is true, even on a busy machine. */
const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000 })

let dir: string
let server: ScriptedServer
let unit: VirtualUnit
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'virtual-unit-'))
  server = await scriptedServer()
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace })
  await unit.start()
})
afterEach(async () => {
  await unit.stop()
  vi.useRealTimers()
  await server.close()
  await rm(dir, { recursive: true })
})

async function enrolAndConfigure() {
  await unit.enrol('code')
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  server.configure(config, 1)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(1))
}

const reportedEvents = () => server.stored.map(({ body }) => summaryOf(body))

function summaryOf(body: unknown) {
  const record = unitRecord.parse(body)
  return record.type === 'access' ? record.verdict : record.what
}

test('a unit introduces itself once with its code and key, and signs the nonce of every connection', async () => {
  await enrolAndConfigure()
  server.cut()
  await soon(() => expect(server.receivedOf('hello')).toHaveLength(2))
  const [enrol, ...others] = server.receivedOf('enrol')
  expect(others).toEqual([])
  const text = enrolText({ nonce: Buffer.from('nonce 0').toString('base64'), code: 'code', serial: 'PC-1' })
  expect(isSigned({ publicKey: enrol?.publicKey ?? '', text, signature: enrol?.signature ?? '' })).toBe(true)
  const again = server.receivedOf('hello')[1]
  const at = server.received.findIndex((frame) => frame === again)
  const nonce = Buffer.from(`nonce ${at}`).toString('base64')
  const hello = { text: helloText({ nonce, unit: unitId }), signature: again?.signature ?? '' }
  expect(isSigned({ publicKey: enrol?.publicKey ?? '', ...hello })).toBe(true)
  expect(again?.applied?.version).toBe(1)
})

test('a unit with a configuration in an earlier format on its disk starts without one and gets it whole', async () => {
  await enrolAndConfigure()
  await unit.stop()
  const path = join(dir, 'configuration.json')
  const [meta] = (await readFile(path, 'utf8')).split('\n')
  const { access: _later, holders, ...rest } = config
  const earlier = { [holder]: { ...holders[holder], doors: { 1: { allow: [], deny: [] } } } }
  await writeFile(path, `${meta}\n${JSON.stringify({ ...rest, holders: earlier })}`)
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace })
  await unit.start()
  await soon(() => expect(server.receivedOf('hello')).toHaveLength(2))
  expect(server.receivedOf('hello')[1]).toMatchObject({ applied: null, highestVersion: 1 })
  expect((await unit.present(card)).verdict).toBe('deny')
  server.configure(config, 2)
  await soon(async () => expect((await unit.present(card)).verdict).toBe('grant'))
})

test('a refused enrolment reports the reason', async () => {
  server.answerWith(() => server.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  await expect(unit.enrol('old code')).rejects.toThrow('bad_code: Ask for a new code.')
})

test('without a server, an enrolment ends after its time, and the reason is reported once for all attempts', async () => {
  const reported: string[] = []
  const url = server.url
  await unit.stop()
  await server.close()
  unit = new VirtualUnit({ dir, serial: 'PC-1', url, pace, report: (sentence) => reported.push(sentence) })
  await unit.start()
  const reason = `${url}: no server answers at this address. Check that it is running.`
  await expect(unit.enrol('code', { withinMs: 1_500 })).rejects.toThrow(`No answer within 1.5 s. ${reason}`)
  expect(unit.state().running).toMatchObject({ unit: null, isOnline: false, offlineReason: reason })
  expect(reported).toEqual([`Not connected. ${reason}`])
})

test('a connected unit has no reason to be offline, and an unplugged one has', async () => {
  await enrolAndConfigure()
  expect(unit.state().running?.offlineReason).toBeNull()
  await unit.setFaults({ offline: true })
  await soon(() => expect(unit.state().running?.offlineReason).toBe('The network cable is unplugged.'))
  await unit.setFaults({ offline: false })
  await soon(() => expect(unit.state().running).toMatchObject({ isOnline: true, offlineReason: null }))
})

test('a unit decides by itself while the server is away, and its events follow in order', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ offline: true })
  await soon(() => expect(unit.state().running?.isOnline).toBe(false))
  server.stored.length = 0
  expect(await unit.present({ ...card, number: '4712' })).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
  expect(await unit.present(card)).toEqual({ verdict: 'grant', reason: null })
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(4))
  await unit.setFaults({ offline: false })
  await soon(() => expect(reportedEvents()).toEqual(['deny', 'grant', 'opened', 'closed']))
  const seqs = server.stored.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index))
})

test('a unit keeps unacknowledged records through a power cut, and sends them again', async () => {
  await enrolAndConfigure()
  server.acknowledge('nothing')
  await unit.present({ ...card, number: 'unknown' })
  await unit.powerCut()
  expect(unit.state().running).toMatchObject({ appliedVersion: 1, highestVersion: 1 })
  expect(await unit.present({ ...card, number: 'unknown too' })).toEqual({
    verdict: 'deny',
    reason: 'credential_unknown',
  })
  server.acknowledge('everything')
  server.cut()
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  // Records that were acknowledged before the cut may arrive twice; the server recognises them by their sequence.
  const once = [...new Map(server.stored.map((record) => [record.seq, record])).values()]
  expect(once.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(once.map(({ body }) => summaryOf(body))).toEqual(['power_on', 'deny', 'power_on', 'deny'])
})

test('a command unlocks the door once and is confirmed with a record', async () => {
  await enrolAndConfigure()
  const id = '01890000-0000-7000-8000-0000000000ff'
  server.send(server.command({ id }))
  server.send(server.command({ id }))
  server.send(server.command({ id: unitId, door: 9 }))
  const late = '01890000-0000-7000-8000-0000000000fe'
  server.send(server.command({ id: late, at: new Date(Date.now() - 20_000).toISOString() }))
  await soon(() =>
    expect(server.receivedOf('commandResult')).toEqual([
      { type: 'commandResult', id, outcome: 'done' },
      { type: 'commandResult', id: unitId, outcome: 'refused', detail: 'door_unknown' },
      { type: 'commandResult', id: late, outcome: 'expired' },
    ]),
  )
  await soon(() => expect(reportedEvents().slice(-3)).toEqual(['unlocked_once', 'opened', 'closed']))
})

test('a lower configuration is rejected and the applied one stays', async () => {
  await enrolAndConfigure()
  server.configure({ ...config, doors: {} }, 3)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(3))
  server.configure(config, 2)
  await soon(() => expect(server.receivedOf('configRejected')).toHaveLength(1))
  expect(server.receivedOf('configRejected')[0]).toMatchObject({ version: 2, reason: 'old_version: 2 is not above 3' })
  expect(await unit.present(card)).toMatchObject({ reason: 'door_unknown' })
})

test('a unit whose memory is full refuses a configuration, one that is stuck never answers, and both stay so after a restart', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ memory: 'full' })
  server.configure(config, 2)
  await soon(() => expect(server.receivedOf('configRejected')).toHaveLength(1))
  expect(server.receivedOf('configRejected').map(({ version }) => version)).toEqual([2])
  expect(server.receivedOf('configRejected')[0]?.reason).toContain('no_room')

  await unit.setFaults({ memory: 'stuck' })
  await unit.stop()
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace })
  await unit.start()
  await soon(() => expect(unit.state().running?.isOnline).toBe(true))
  expect(unit.state().faults.memory).toBe('stuck')
  server.configure(config, 3)
  expect(await unit.present(card)).toEqual({ verdict: 'grant', reason: null })
  await soon(() => expect(reportedEvents()).toContain('closed'))
  expect(unit.state().running).toMatchObject({ appliedVersion: 1, highestVersion: 1 })
  expect(server.receivedOf('configApplied').map(({ version }) => version)).toEqual([1])

  await unit.setFaults({ memory: 'works' })
  server.configure(config, 4)
  await soon(() => expect(unit.state().running?.appliedVersion).toBe(4))
})

test('§3 a unit reports its capacity, and refuses a configuration that exceeds it', async () => {
  await unit.stop()
  unit = new VirtualUnit({
    dir,
    serial: 'PC-1',
    url: server.url,
    pace,
    faults: { maxDoors: 1, maxCredentials: 1, maxEvents: 100 },
  })
  await unit.start()
  await enrolAndConfigure()
  expect(server.receivedOf('hello')[0]?.capacity).toEqual({ doors: 1, credentials: 1, schedules: 1_000, events: 100 })
  const another = { [credentialKey(secret, '4712')]: { _id: 'other', holder, validFrom: null, validUntil: null } }
  server.configure({ ...config, credentials: { ...config.credentials, ...another } }, 2)
  await soon(() => expect(server.receivedOf('configRejected')[0]?.reason).toBe('no_room: 2 credentials, of at most 1'))
  expect(unit.state().running?.appliedVersion).toBe(1)
})

test('duplicate and slow frames change nothing but the number of frames', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ duplicate: true, slowMs: 5 })
  server.stored.length = 0
  await unit.present(card)
  await soon(() => expect(new Set(reportedEvents())).toEqual(new Set(['grant', 'opened', 'closed'])))
  await soon(() => expect(unit.state().running?.pendingEvents).toBe(0))
  expect(server.stored.length).toBeGreaterThan(3)
})

test('a wrong clock shows in the records', async () => {
  await enrolAndConfigure()
  await unit.setFaults({ clockOffsetMs: 3_600_000 })
  await unit.present({ ...card, number: 'x' })
  await soon(() => expect(reportedEvents()).toContain('deny'))
  const at = server.stored.map(({ body }) => JSON.stringify(body)).find((text) => text.includes('deny'))
  const ahead = Date.parse(/"at":"([^"]+)"/.exec(at ?? '')?.[1] ?? '') - Date.now()
  expect(ahead).toBeGreaterThan(3_590_000)
})

test('a forced door and a held door are reported, and so is their restoration', async () => {
  await enrolAndConfigure()
  server.stored.length = 0
  unit.operateDoor({ door: 1, what: 'forced' })
  unit.operateDoor({ door: 1, what: 'closed' })
  unit.operateDoor({ door: 1, what: 'exit' })
  await soon(() =>
    expect(reportedEvents()).toEqual(['forced', 'restored', 'closed', 'exit_requested', 'opened', 'closed']),
  )
})

test.each([
  { silentAfter: 9, beats: 2 },
  { silentAfter: 11, beats: 3 },
])(
  'a unit ends a connection that is silent for over 2.5 heartbeat intervals: $beats heartbeats after silence from second $silentAfter',
  async ({ silentAfter, beats }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    let occurred = (_what: string) => {}
    await unit.stop()
    unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace, report: (sentence) => occurred(sentence) })
    await unit.start()
    await enrolAndConfigure()
    const next = async (cause: () => void) => {
      const { promise, resolve } = Promise.withResolvers<string>()
      occurred = resolve
      cause()
      return promise
    }
    server.answerWith(({ type }) => type === 'heartbeat' && occurred(type))
    await next(() => vi.advanceTimersToNextTimer())
    vi.advanceTimersByTime(silentAfter * 1_000)
    await next(() => server.send({ type: 'heartbeatRequest', id: unitId }))
    for (let beat = 0; beat < beats; beat += 1)
      expect(await next(() => vi.advanceTimersToNextTimer())).toBe('heartbeat')
    expect(await next(() => vi.advanceTimersToNextTimer())).toBe('Not connected. The server no longer answers.')
  },
)
