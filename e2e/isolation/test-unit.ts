import { once } from 'node:events'
import {
  limits,
  type ServerFrame,
  serverFrame,
  subprotocol,
  type UnitFrame,
  unitsPath,
} from '@portcullis/contract/unit-protocol/frames'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type KeyPair, signText } from '@portcullis/controllers/keys'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'

/** A controller that is enrolled: all it needs to connect. */
export const unitIdentity = z.object({
  id: z.uuid(),
  serial: z.string(),
  publicKey: z.string(),
  privateKey: z.string(),
})
export type UnitIdentity = z.output<typeof unitIdentity>

const patienceMs = 60_000

export type TestUnit = Awaited<ReturnType<typeof openUnit>>

/** A controller without disk or doors, which sends the frames of a test. */
export async function openUnit(url: string) {
  const received: ServerFrame[] = []
  const waiting = new Set<() => void>()
  let closeCode: number | undefined
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${unitsPath}`, subprotocol)
  const wake = () => {
    for (const look of waiting) look()
  }
  socket.addEventListener('message', ({ data }) => {
    const frame = serverFrame.safeParse(JSON.parse(String(data)))
    if (frame.success) received.push(frame.data)
    wake()
  })
  socket.addEventListener('close', ({ code }) => {
    closeCode = code
    wake()
  })
  socket.addEventListener('error', () => {})
  const peer = {
    received,
    get closeCode() {
      return closeCode
    },
    send: (frame: UnitFrame | object) => socket.send(JSON.stringify(frame)),
    sendText: (text: string) => socket.send(text),
    waitFor,
    nonce: () => received.flatMap((frame) => (frame.type === 'challenge' ? [frame.nonce] : []))[0] ?? '',
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
  await waitFor(({ type }) => type === 'challenge')
  return peer

  /** The first frame received from `since` on that matches; throws once the connection has ended or the time is over. */
  function waitFor(matches: (frame: ServerFrame) => boolean, since = 0) {
    const { promise, resolve, reject } = Promise.withResolvers<ServerFrame>()
    const end = () => {
      clearTimeout(timer)
      waiting.delete(look)
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error('the server has not answered the unit in time'))
    }, patienceMs)
    const look = () => {
      const found = received.slice(since).find(matches)
      if (found === undefined && closeCode === undefined) return
      end()
      if (found) resolve(found)
      else reject(new Error(`the connection of the unit ended with ${closeCode}: ${lastRefusal()}`))
    }
    waiting.add(look)
    look()
    return promise
  }

  function lastRefusal() {
    return received.flatMap((frame) => (frame.type === 'refused' ? [frame.message] : [])).at(-1) ?? 'no reason'
  }
}

export async function enrolUnit({
  url,
  code,
  serial,
  keys,
}: {
  url: string
  code: string
  serial: string
  keys: KeyPair
}) {
  const peer = await openUnit(url)
  const { publicKey, privateKey } = keys
  const signature = signText(privateKey, enrolText({ nonce: peer.nonce(), code, serial }))
  peer.send({ type: 'enrol', code, serial, publicKey, signature })
  await peer.waitFor(({ type }) => type === 'enrolled')
  await peer.close()
}

/** The `hello` of a unit on this connection, before any change that a test makes. */
export function helloOf(peer: TestUnit, { id, serial, privateKey }: UnitIdentity) {
  return {
    type: 'hello',
    unit: id,
    serial,
    signature: signText(privateKey, helloText({ nonce: peer.nonce(), unit: id })),
    nonce: Buffer.alloc(16).toString('base64'),
    applied: null,
    highestVersion: 0,
    at: new Date().toISOString(),
  } as const
}

/** A unit that the server has welcomed. */
export async function connectUnit(url: string, identity: UnitIdentity) {
  const peer = await openUnit(url)
  peer.send(helloOf(peer, identity))
  await peer.waitFor(({ type }) => type === 'welcome')
  return peer
}

export function accessRecord(number: string) {
  return {
    type: 'access',
    at: new Date().toISOString(),
    door: 1,
    configVersion: null,
    direction: 'entry',
    kind: 'card',
    number,
    verdict: 'grant',
    reason: null,
  } as const
}

/** Sends one record after the other, each with the next sequence of one log. */
export function eventLog(peer: TestUnit) {
  const logId = uuidv7()
  let seq = 0
  return {
    /** Resolves once the server has stored the record. */
    async record(body: unknown) {
      seq += 1
      const [since, upTo] = [peer.received.length, seq]
      peer.send({ type: 'events', logId, records: [{ seq: upTo, body }] })
      await peer.waitFor((frame) => frame.type === 'ack' && frame.logId === logId && frame.upTo >= upTo, since)
    },
  }
}

export const maxRecords = limits.eventsPerFrame
