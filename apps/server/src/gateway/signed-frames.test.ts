import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import {
  approvalOutcomeText,
  clockText,
  commandText,
  doorCommandText,
  doorModeText,
} from '@portcullis/contract/unit-protocol/signed-texts'
import { generateKeys, isSigned, signText } from '@portcullis/controllers/keys'
import sql from 'sql-template-tag'
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

const wait = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 })
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
    const command = peer.received.find(isCommand)
    const named = { unit: ids.unit, nonce, doorId: ids.door }
    const signed = command && { text: doorCommandText({ ...command, ...named }), signature: command.doorSignature }
    expect(signed && isSigned({ publicKey: serverKey, ...signed })).toBe(true)
    peer.socket.terminate()
    await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'offline' }))
  }
})

test('a unit that does not read the door of a mode returns the port of a deleted door to normal', async () => {
  const { privateKey, serverKey } = await enrolledPeer()
  const peer = await greet(privateKey, nonces[0] ?? '')
  const modes = () =>
    peer.received.flatMap((frame) => {
      if (frame.type !== 'doorMode') return []
      const { door, version, mode, signature } = frame
      const text = doorModeText({ unit: ids.unit, ...frame })
      expect(isSigned({ publicKey: serverKey, text, signature })).toBe(true)
      return [{ door, version, mode }]
    })
  await world.changePolicy(sql`update door set door_mode = 'unlocked', door_mode_version = 3`)
  const held = { door: 1, version: 3, mode: 'unlocked' }
  await wait(async () => expect(modes()).toEqual([held]))
  peer.send({ type: 'doorModeApplied', door: 1, version: 3 })
  await world.changePolicy(sql`delete from door`)
  await wait(async () => expect(modes()).toEqual([held, { door: 1, version: 4, mode: 'normal' }]))
  // It has stored a mode of a door that the database of this server has never had.
  peer.send({ type: 'doorModeApplied', door: 1, version: 7 })
  await wait(async () => expect(modes().at(-1)).toEqual({ door: 1, version: 8, mode: 'normal' }))
})

type Received = Awaited<ReturnType<GatewayWorld['peer']>>['received'][number]

function isCommand(frame: Received) {
  return frame.type === 'command'
}

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
