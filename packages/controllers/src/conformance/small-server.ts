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
import { credentials, secret, SigningServer, unit } from './signing-server.ts'

/** What the server of a test does wrong. */
export type ServerFault =
  | 'accepts any code'
  | 'accepts a used code'
  | 'accepts any signature'
  | 'does not enrol'
  | 'changes the secret'
  | 'welcomes any unit'
  | 'welcomes once'
  | 'answers before the hello'
  | 'repeats its nonce'
  | 'forges its clock'
  | 'forges the clock of heartbeats'
  | 'ignores wrong clocks'
  | 'ignores requested heartbeats'
  | 'refuses unknown fields'
  | 'forges the configuration'
  | 'changes the configuration'
  | 'sends the configuration again'
  | 'ignores the applied version'
  | 'ignores the highest version'
  | 'changes a delta'
  | 'forges all but the configuration'
  | 'acknowledges early'
  | 'never acknowledges'
  | 'acknowledges once'
  | 'acknowledges too much'
  | 'stores nothing'
  | 'needs an order'
  | 'keeps two connections'
  | 'closes all connections'
  | 'leaves malformed frames unanswered'
  | 'ignores interlocks'
  | 'waits for ever'
  | 'sends another schema'

/** The enrolment code. */
export const code = 'C0NF-0RM5-UN1T'
/** An introduction takes a moment here, and 10 seconds in the protocol. */
const handshakeMs = 1_500

type FrameOf<T extends UnitFrame['type']> = Extract<UnitFrame, { type: T }>

/** A server for tests of the kit, in memory: for one unit, with one code. It does one thing wrong, or nothing. */
export async function smallServer(wrong?: ServerFault) {
  const sockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    // Without a limit, a frame that is too long is a malformed one.
    maxPayload: wrong === undefined ? limits.frameBytes : 0,
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
      const isStrange = wrong === 'refuses unknown fields' && text.includes('ofTheFuture')
      if (!read.success || isLong || isStrange) return malformed(socket)
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
    const isEarly = frame.type === 'heartbeat' && wrong === 'answers before the hello'
    if (live === undefined || (socket !== live && wrong !== 'keeps two connections' && !isEarly))
      return refuse(socket, 'unexpected')
    if (frame.type === 'heartbeat') beat(socket, frame)
    if (frame.type === 'events') acknowledge(socket, frame)
    if (frame.type === 'configApplied') applied(socket, frame)
    if (frame.type === 'interlockRequest') interlock(socket, frame)
  }

  function beat(socket: WebSocket, { at, request }: FrameOf<'heartbeat'>) {
    if (wrong === 'ignores wrong clocks' && Math.abs(Date.parse(at) - Date.now()) > 60_000) return
    if (wrong === 'ignores requested heartbeats' && request !== undefined) return
    const clock = server.clock(at)
    const signature = wrong === 'forges the clock of heartbeats' ? 'AAAA' : clock.signature
    send(socket, { type: 'heartbeatAck', ...clock, signature })
  }

  function enrol(socket: WebSocket, frame: FrameOf<'enrol'> & { nonce: string }) {
    const isProven = isSigned({ ...frame, text: enrolText(frame) })
    if (!isProven && wrong !== 'accepts any signature') return refuse(socket, 'bad_signature')
    if (frame.code !== code && wrong !== 'accepts any code') return refuse(socket, 'bad_code')
    if (publicKey !== undefined && publicKey !== frame.publicKey && wrong !== 'accepts a used code')
      return refuse(socket, 'already_enrolled')
    if (wrong === 'does not enrol') return
    publicKey ??= frame.publicKey
    const given = wrong === 'changes the secret' ? randomBytes(32).toString('base64') : secret
    send(socket, { type: 'enrolled', unit, name: 'Front', serverKey: server.publicKey, secret: given })
  }

  function hello(socket: WebSocket, frame: FrameOf<'hello'> & { serverNonce: string }) {
    const refused = refusalOf(frame)
    if (refused) return refuse(socket, refused)
    if (wrong !== 'keeps two connections') live?.close()
    live = socket
    server.unitNonce = wrong === 'forges its clock' ? 'another' : frame.nonce
    greet(socket, frame)
    if (wrong !== 'ignores the highest version') version = Math.max(version, frame.highestVersion)
    const isRepeated = wrong === 'sends the configuration again' || wrong === 'ignores the applied version'
    if (frame.applied?.version !== version || isRepeated) configure(socket, frame)
  }

  function refusalOf(frame: FrameOf<'hello'> & { serverNonce: string }): RefusalCode | undefined {
    const isKnown = frame.unit === unit || wrong === 'welcomes any unit'
    if (!isKnown || publicKey === undefined) return 'unknown_unit'
    if (live !== undefined && wrong === 'welcomes once') return 'too_many_connections'
    const text = helloText({ nonce: frame.serverNonce, unit: frame.unit })
    const isProven = isSigned({ publicKey, text, signature: frame.signature })
    return isProven || wrong === 'accepts any signature' ? undefined : 'bad_signature'
  }

  function greet(socket: WebSocket, { at }: FrameOf<'hello'>) {
    send(socket, server.welcome(at))
    send(socket, { type: 'heartbeatRequest', id: randomUUID() })
    const isForged = wrong === 'forges all but the configuration'
    send(socket, server.doorMode({ version: 1, mode: 'lockdown', isForged }))
    send(socket, server.command({ isForged }))
    send(socket, server.passages({ isForged }))
    send(socket, server.blocklist({ block: [...credentials], isForged }))
    if (wrong === 'acknowledges early') send(socket, { type: 'ack', logId: randomUUID(), upTo: 3 })
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
    const isChanged = wrong === 'changes a delta'
    for (const part of server.delta({ version, base: frame.version, isChanged }).frames) send(socket, part)
  }

  function interlock(socket: WebSocket, { id }: FrameOf<'interlockRequest'>) {
    if (wrong === 'ignores interlocks') return
    const isForged = wrong === 'forges all but the configuration'
    send(socket, server.interlockAnswer({ id, outcome: 'clear', isForged }))
  }

  function acknowledge(socket: WebSocket, { logId, records }: FrameOf<'events'>) {
    if (wrong === 'never acknowledges') return
    const before = acknowledged.get(logId) ?? 0
    if (wrong === 'acknowledges once' && before > 0) return
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
