import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  limits,
  type ServerFrame,
  subprotocol,
  type UnitFrame,
  unitFrame,
} from '@portcullis/contract/unit-protocol/frames'
import type { RefusalCode } from '@portcullis/contract/unit-protocol/refusal-codes'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type WebSocket, WebSocketServer } from 'ws'
import { isSigned } from '../keys.ts'
import { code, secret, SigningServer, unit } from './signing-server.ts'

/** What the server of a test does wrong. */
export type ServerFault =
  | 'accepts any code'
  | 'accepts a used code'
  | 'accepts any signature'
  | 'changes the secret'
  | 'repeats its nonce'
  | 'forges its clock'
  | 'forges the configuration'
  | 'changes the configuration'
  | 'sends the configuration again'
  | 'ignores the highest version'
  | 'forges a mode'
  | 'never acknowledges'
  | 'acknowledges too much'
  | 'stores nothing'
  | 'needs an order'
  | 'keeps two connections'
  | 'closes all connections'
  | 'leaves malformed frames unanswered'
  | 'waits for ever'
  | 'sends another schema'

/** An introduction takes a moment here, and 10 seconds in the protocol. */
const handshakeMs = 1_500

type FrameOf<T extends UnitFrame['type']> = Extract<UnitFrame, { type: T }>

/** A server for tests of the kit, in memory: for one unit, with one code. It does one thing wrong, or nothing. */
export async function smallServer(wrong?: ServerFault) {
  const sockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    maxPayload: limits.frameBytes,
    handleProtocols: () => subprotocol,
  })
  await once(sockets, 'listening')
  const address = sockets.address()
  const server = new SigningServer()
  const acknowledged = new Map<string, number>()
  let publicKey: string | undefined
  let live: WebSocket | undefined
  let version = 1
  let hasSentDelta = false

  sockets.on('connection', (socket) => {
    const nonce = wrong === 'repeats its nonce' ? 'bm9uY2U=' : randomBytes(32).toString('base64')
    const introduction = setTimeout(() => wrong !== 'waits for ever' && socket.terminate(), handshakeMs)
    socket.on('error', () => {})
    socket.on('close', () => clearTimeout(introduction))
    socket.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString() : ''
      const isLong = socket !== live && text.length > limits.introductionBytes
      const read = unitFrame.safeParse(jsonOf(text))
      if (!read.success || isLong) return malformed(socket)
      answer({ socket, nonce, frame: read.data })
      if (socket === live) clearTimeout(introduction)
    })
    send(socket, { type: 'challenge', nonce, at: new Date().toISOString() })
  })

  return {
    url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    async close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
      await once(sockets, 'close')
    },
  }

  function answer({ socket, nonce, frame }: { socket: WebSocket; nonce: string; frame: UnitFrame }) {
    if (frame.type === 'enrol') return enrol(socket, { ...frame, nonce })
    if (frame.type === 'hello') return hello(socket, { ...frame, serverNonce: nonce })
    if (live === undefined || (socket !== live && wrong !== 'keeps two connections'))
      return refuse(socket, 'unexpected')
    if (frame.type === 'heartbeat') send(socket, { type: 'heartbeatAck', ...server.clock(frame.at) })
    if (frame.type === 'events') acknowledge(socket, frame)
    if (frame.type === 'configApplied') applied(socket, frame)
  }

  function enrol(socket: WebSocket, frame: FrameOf<'enrol'> & { nonce: string }) {
    const isProven = isSigned({ ...frame, text: enrolText(frame) })
    if (!isProven && wrong !== 'accepts any signature') return refuse(socket, 'bad_signature')
    if (frame.code !== code && wrong !== 'accepts any code') return refuse(socket, 'bad_code')
    if (publicKey !== undefined && publicKey !== frame.publicKey && wrong !== 'accepts a used code')
      return refuse(socket, 'already_enrolled')
    publicKey ??= frame.publicKey
    const given = wrong === 'changes the secret' ? randomBytes(32).toString('base64') : secret
    send(socket, { type: 'enrolled', unit, name: 'Front', serverKey: server.publicKey, secret: given })
  }

  function hello(socket: WebSocket, frame: FrameOf<'hello'> & { serverNonce: string }) {
    if (frame.unit !== unit || publicKey === undefined) return refuse(socket, 'unknown_unit')
    const text = helloText({ nonce: frame.serverNonce, unit })
    const isProven = isSigned({ publicKey, text, signature: frame.signature })
    if (!isProven && wrong !== 'accepts any signature') return refuse(socket, 'bad_signature')
    if (wrong !== 'keeps two connections') live?.close()
    live = socket
    server.unitNonce = wrong === 'forges its clock' ? 'another' : frame.nonce
    greet(socket, frame)
    if (wrong !== 'ignores the highest version') version = Math.max(version, frame.highestVersion)
    if (frame.applied?.version !== version || wrong === 'sends the configuration again') configure(socket, frame)
  }

  function greet(socket: WebSocket, { at }: FrameOf<'hello'>) {
    send(socket, server.welcome(at))
    send(socket, server.doorMode({ version: 1, mode: 'lockdown', isForged: wrong === 'forges a mode' }))
    send(socket, { type: 'heartbeatRequest', id: randomUUID() })
    send(socket, server.command({}))
    if (wrong === 'sends another schema') socket.send('{"type":"ack","upTo":"all"}')
  }

  function configure(socket: WebSocket, { highestVersion }: { highestVersion: number }) {
    if (version === highestVersion && wrong === undefined) version++
    const isForged = wrong === 'forges the configuration'
    const isChanged = wrong === 'changes the configuration'
    for (const frame of server.configuration({ version, isForged, isChanged }).frames) send(socket, frame)
  }

  function applied(socket: WebSocket, frame: FrameOf<'configApplied'>) {
    if (wrong === 'sends the configuration again') return configure(socket, { highestVersion: frame.version })
    if (hasSentDelta) return
    hasSentDelta = true
    version = frame.version + 1
    for (const part of server.delta({ version, base: frame.version }).frames) send(socket, part)
  }

  function acknowledge(socket: WebSocket, { logId, records }: FrameOf<'events'>) {
    if (wrong === 'never acknowledges') return
    const before = acknowledged.get(logId) ?? 0
    const seqs = records.map(({ seq }) => seq)
    if (wrong === 'needs an order' && seqs[0] !== before + 1) return
    const upTo = Math.max(before, ...seqs)
    acknowledged.set(logId, upTo)
    const named = { 'acknowledges too much': upTo + 5, 'stores nothing': Math.max(...seqs) }
    const isNamed = wrong === 'acknowledges too much' || wrong === 'stores nothing'
    send(socket, { type: 'ack', logId, upTo: isNamed ? named[wrong] : upTo })
  }

  function malformed(socket: WebSocket) {
    if (wrong === 'leaves malformed frames unanswered') return
    if (wrong === 'closes all connections') for (const client of sockets.clients) client.terminate()
    refuse(socket, 'malformed')
  }

  function refuse(socket: WebSocket, why: RefusalCode) {
    send(socket, { type: 'refused', code: why, message: `Refused: ${why}.` })
    socket.close(4001, why)
  }
}

function send(socket: WebSocket, frame: ServerFrame) {
  socket.send(JSON.stringify(frame))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
