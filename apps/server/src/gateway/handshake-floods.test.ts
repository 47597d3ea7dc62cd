import { once } from 'node:events'
import { generateKeys, signText } from '@portcullis/controllers/keys'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { gatewayWorld, type GatewayWorld, ids, serial } from './test-world.ts'

const wait = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 60_000 })
const keys = generateKeys()
const otherKeys = generateKeys()

let world: GatewayWorld
let url: string
beforeAll(async () => {
  world = await gatewayWorld()
  const server = await world.startServer()
  url = server.url
  const peer = await world.peer(url)
  const code = await world.code()
  const signature = signText(keys.privateKey, enrolText({ nonce: peer.nonce(), code, serial }))
  peer.send({ type: 'enrol', code, serial, publicKey: keys.publicKey, signature })
  await vi.waitUntil(() => typesOf(peer).includes('enrolled'), { timeout: 60_000 })
  peer.socket.terminate()
})
afterAll(() => world.close())

type Peer = Awaited<ReturnType<GatewayWorld['peer']>>

function sendHello(peer: Peer, { privateKey }: { privateKey: string }) {
  const signature = signText(privateKey, helloText({ nonce: peer.nonce(), unit: ids.unit }))
  const at = new Date().toISOString()
  const nonce = Buffer.alloc(16).toString('base64')
  peer.send({ type: 'hello', unit: ids.unit, serial, signature, applied: null, highestVersion: 0, at, nonce })
}

/** Leaves once the server has read the hello. */
async function leaveBeforeCheck(peer: Peer) {
  sendHello(peer, otherKeys)
  peer.socket.ping()
  await once(peer.socket, 'pong')
  peer.socket.terminate()
}

function typesOf({ received }: Peer) {
  return received.map(({ type }) => type)
}

/** Units cannot be read until the returned function is called, so signatures cannot be checked. */
async function holdChecks() {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = world.database.asSystem(async (tx) => {
    await tx.run(sql`lock table unit_secret in access exclusive mode`)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  return async () => {
    held.resolve()
    await holding
  }
}

test('a controller is welcomed while 250 clients with wrong signatures have just left', async () => {
  const refused = await Promise.all(Array.from({ length: 60 }, () => world.peer(url)))
  for (const peer of refused) sendHello(peer, otherKeys)
  const codes = await Promise.all(refused.map((peer) => peer.refusal()))
  expect(new Set(codes.map((refusal) => refusal?.code))).toEqual(new Set(['bad_signature']))
  const release = await holdChecks()
  for (let round = 0; round < 5; round++) {
    const leaving = await Promise.all(Array.from({ length: 50 }, () => world.peer(url)))
    await Promise.all(leaving.map((peer) => leaveBeforeCheck(peer)))
  }
  const valid = await world.peer(url)
  sendHello(valid, keys)
  await release()
  await wait(() => expect(typesOf(valid)).toContain('welcome'))
  valid.socket.terminate()
})

test('a controller that waits for its check is not ended by 210 clients that have sent nothing', async () => {
  const release = await holdChecks()
  const valid = await world.peer(url)
  sendHello(valid, keys)
  for (let round = 0; round < 7; round++) await Promise.all(Array.from({ length: 30 }, () => world.peer(url)))
  await release()
  await wait(() => expect(typesOf(valid)).toContain('welcome'))
  valid.socket.terminate()
})
