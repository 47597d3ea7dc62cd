import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { approvalOutcomeText, clockText, commandText } from '@portcullis/contract/unit-protocol/signed-texts'
import { generateKeys, isSigned, signText } from '@portcullis/controllers/keys'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { giveUnlock } from '../commands/commands.ts'
import { type GatewayWorld, gatewayWorld, ids, serial } from './test-world.ts'

let world: GatewayWorld
let url: string
beforeEach(async () => {
  world = await gatewayWorld()
  url = (await world.startServer()).url
})
afterEach(() => world.close())

const wait = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })
const requestedAt = '2026-03-01T09:00:00.000Z'
const nonces = ['A', 'B'].map((letter) => letter.repeat(44))

/** A raw unit that has enrolled and said hello; `serverKey` is the key that it was given. */
async function enrolledPeer() {
  const { publicKey, privateKey } = generateKeys()
  const code = await world.code()
  const peer = await world.peer(url)
  const signature = signText(privateKey, enrolText({ nonce: peer.nonce(), code, serial }))
  peer.send({ type: 'enrol', code, serial, publicKey, signature })
  await wait(async () => expect(peer.received.map(({ type }) => type)).toContain('enrolled'))
  const serverKey = peer.received.flatMap((frame) => (frame.type === 'enrolled' ? [frame.serverKey] : []))[0] ?? ''
  peer.socket.terminate()
  return { privateKey, serverKey }
}

async function greet(privateKey: string, nonce: string) {
  const peer = await world.peer(url)
  const signature = signText(privateKey, helloText({ nonce: peer.nonce(), unit: ids.unit }))
  const state = { applied: null, highestVersion: 0 }
  peer.send({ type: 'hello', unit: ids.unit, serial, signature, ...state, at: requestedAt, nonce })
  await wait(async () => expect(peer.received.map(({ type }) => type)).toContain('welcome'))
  return peer
}

function unlock() {
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const door = { account: world.accountKey, door: ids.door, unit: ids.unit, unitDoor: 1, requestedBy: ids.nomsa }
  return world.database.asSystem((tx) => giveUnlock(tx, { ...door, expiresAt }))
}

test('the server signs commands, outcomes and its clock for one unit and one connection', async () => {
  const { privateKey, serverKey } = await enrolledPeer()
  for (const nonce of nonces) {
    const peer = await greet(privateKey, nonce)
    await unlock()
    const request = uuidv7()
    const unknown = { door: 9, direction: 'entry', kind: 'card', number: '4711' }
    peer.send({ type: 'approvalRequest', id: request, ...unknown })
    peer.send({ type: 'heartbeat', at: requestedAt, pendingEvents: 0, applied: null })
    const signedTypes = ['welcome', 'command', 'approvalOutcome', 'heartbeatAck']
    await wait(async () =>
      expect(new Set(peer.received.map(({ type }) => type))).toEqual(
        new Set([...peer.received.map(({ type }) => type), ...signedTypes]),
      ),
    )
    const valid = (connection: { unit: string; nonce: string }) =>
      peer.received.flatMap((frame) => {
        const text = textOf(frame, connection)
        if (text === undefined || !('signature' in frame)) return []
        return isSigned({ publicKey: serverKey, text, signature: frame.signature }) ? [frame.type] : []
      })
    expect(new Set(valid({ unit: ids.unit, nonce }))).toEqual(new Set(signedTypes))
    expect(valid({ unit: ids.unit, nonce: `${nonce}=` })).toEqual([])
    expect(valid({ unit: ids.door, nonce })).toEqual([])
    peer.socket.terminate()
    await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  }
})

type Received = Awaited<ReturnType<GatewayWorld['peer']>>['received'][number]

function textOf(frame: Received, connection: { unit: string; nonce: string }) {
  switch (frame.type) {
    case 'command':
      return commandText({ ...connection, ...frame })
    case 'approvalOutcome':
      return approvalOutcomeText({ ...connection, ...frame })
    case 'welcome':
    case 'heartbeatAck':
      return clockText({ ...frame, ...connection, requestedAt })
    default:
      return undefined
  }
}
