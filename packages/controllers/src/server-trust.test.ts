import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { generateKeys } from './keys.ts'
import { type ScriptedServer, scriptedServer, unitId } from './scripted-server.ts'
import { config, pace } from './test-configuration.ts'
import { VirtualUnit } from './virtual-unit.ts'

const patient = { timeout: 20_000 }

let dir: string
let server: ScriptedServer
let unit: VirtualUnit
const reports: string[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'server-trust-'))
  server = await scriptedServer()
  reports.length = 0
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace, report: (sentence) => reports.push(sentence) })
  await unit.start()
  await unit.enrol('code')
  await vi.waitUntil(() => unit.state().running?.isOnline, patient)
  server.configure(config, 1)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === 1, patient)
})
afterEach(async () => {
  await unit.stop()
  await server.close()
  await rm(dir, { recursive: true })
})

const results = () =>
  server.receivedOf('commandResult').map(({ outcome, detail = '' }) => `${outcome} ${detail}`.trim())
const confirmedKeys = () => server.receivedOf('serverKeyKept').map(({ serverKey }) => serverKey)
const stored = () => readFile(join(dir, 'identity.json'), 'utf8')

async function unlockAnswer() {
  const before = results().length
  server.send(server.command({}))
  await vi.waitUntil(() => results().length > before, patient)
  return results().at(-1)
}

async function reconnect() {
  const hellos = server.receivedOf('hello').length
  server.cut()
  await vi.waitUntil(() => server.receivedOf('hello').length > hellos && unit.state().running?.isOnline, patient)
}

test('a unit accepts both keys after an announcement, and only the new one once that has signed its clock', async () => {
  const old = server.command({})
  const announced = server.rotate()
  server.send(announced)
  await vi.waitUntil(() => confirmedKeys().length === 1, patient)
  expect(confirmedKeys()).toEqual([announced.serverKey])
  expect(await stored()).toContain('earlierServerKey')
  server.send(old)
  await vi.waitUntil(() => results().length === 1, patient)
  expect(await unlockAnswer()).toBe('done')
  expect(results()).toEqual(['done', 'done'])
  server.configure({ ...config, doors: {} }, 2)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === 2, patient)

  await reconnect()
  await vi.waitUntil(async () => !(await stored()).includes('earlierServerKey'), patient)
  expect(await stored()).toContain(announced.serverKey)
})

test('the announcement before the welcome is enough, and the new key outlives a power cut', async () => {
  server.announce(server.rotate())
  await reconnect()
  expect(await unlockAnswer()).toBe('done')
  await vi.waitUntil(() => confirmedKeys().length === 1, patient)
  await unit.powerCut()
  // Repeated: the unit trusts the key already, and confirms it again.
  await vi.waitUntil(() => confirmedKeys().length === 2, patient)
  await vi.waitUntil(() => unit.state().running?.isOnline, patient)
  expect(await unlockAnswer()).toBe('done')
})

test.each<[string, () => ReturnType<ScriptedServer['rotate']>]>([
  ['signed by a stranger', () => server.rotate({ signer: generateKeys().privateKey })],
  ['signed for another unit', () => server.rotate({ unit: unitId.replace(/.$/, '2') })],
  ['other than the signed one', () => ({ ...server.rotate(), serverKey: generateKeys().publicKey })],
])('a new key %s is not trusted', async (_, forge) => {
  server.send(forge())
  expect(await unlockAnswer()).toBe('refused not_signed')
  expect(confirmedKeys()).toEqual([])
  expect(reports).toContain('ignored a new key of the server: no trusted key has signed it')
})
