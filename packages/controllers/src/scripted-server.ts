import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { InterlockAnswered } from '@portcullis/contract/unit-protocol/interlock-frames'
import type { SharedPassage } from '@portcullis/contract/unit-protocol/frame-fields'
import { subprotocol, unitFrame, type ServerFrame, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import {
  approvalOutcomeText,
  blocklistText,
  clockText,
  commandText,
  configText,
  doorCommandText,
  doorModeText,
  mayPassText,
  interlockText,
  modeOfDoorText,
  passagesText,
  serverKeyText,
} from '@portcullis/contract/unit-protocol/signed-texts'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { type WebSocket, WebSocketServer } from 'ws'
import { generateKeys, signText } from './keys.ts'

export const unitId = '01890000-0000-7000-8000-000000000001'
/** The doors of `test-configuration.ts`. */
export const doorIds = ['01890000-0000-7000-8000-00000000000d', '01890000-0000-7000-8000-00000000000e'] as const
const at = '2026-03-01T09:00:00.000Z'
export const secret = Buffer.from('the secret of the unit').toString('base64')

type Signing = { unit: string; nonce: string; signer: string }
type Command = { id: string; door: number; doorId: string; timeToLiveMs: number; request: string; at: string }
type DesiredMode = Pick<Extract<ServerFrame, { type: 'doorMode' }>, 'door' | 'doorId' | 'version' | 'mode' | 'until'>
type Ended = { id: string; outcome: 'denied' | 'timeout' | 'unavailable' }

/** A server for tests of units: it sends scripted frames over a real socket and stores the frames that it receives. */
export async function scriptedServer() {
  let keys = generateKeys()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address()
  const received: UnitFrame[] = []
  const stored: { logId: string; seq: number; body: unknown }[] = []
  let socket: WebSocket | undefined
  let answers: (frame: UnitFrame) => void = welcomeAll
  let isAcknowledging = true
  let greeting: ServerFrame[] = []
  let announcement: ServerFrame | undefined
  let clockSigner = keys.privateKey
  /** Of the last hello. */
  let nonce = ''

  server.on('connection', (newcomer) => {
    if (newcomer.protocol !== subprotocol) return newcomer.terminate()
    socket = newcomer
    newcomer.on('message', (data) => {
      const frame = unitFrame.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : ''))
      received.push(frame)
      answers(frame)
    })
    for (const frame of greeting) send(frame)
    send({ type: 'challenge', nonce: Buffer.from(`nonce ${received.length}`).toString('base64'), at })
  })

  function send(frame: ServerFrame) {
    socket?.send(JSON.stringify(frame))
  }

  function welcomeAll(frame: UnitFrame) {
    if (frame.type === 'enrol') {
      send({ type: 'enrolled', unit: unitId, name: 'Front', serverKey: keys.publicKey, secret })
    }
    if (frame.type === 'hello') {
      nonce = frame.nonce
      if (announcement) send(announcement)
      send({ type: 'welcome', unit: unitId, name: 'Front', heartbeatSeconds: 20, ...clock(frame.at) })
    }
    if (frame.type === 'heartbeat') send({ type: 'heartbeatAck', ...clock(frame.at) })
    if (frame.type === 'events' && isAcknowledging) {
      for (const { seq, body } of frame.records) stored.push({ logId: frame.logId, seq, body })
      send({ type: 'ack', logId: frame.logId, upTo: Math.max(...frame.records.map(({ seq }) => seq)) })
    }
  }

  function clock(requestedAt: string) {
    const at = now()
    return { at, signature: signText(clockSigner, clockText({ unit: unitId, nonce, requestedAt, at })) }
  }

  /** A command as the server signs it; another key, unit or nonce makes it a forged one. */
  function command(fields: Partial<Command>, { signer = keys.privateKey, ...by }: Partial<Signing> = {}) {
    const usual = {
      id: randomUUID(),
      action: 'unlockOnce',
      door: 1,
      doorId: doorIds[0],
      timeToLiveMs: 10_000,
      at: now(),
    } as const
    const all = { ...usual, ...fields }
    const text = { unit: unitId, nonce, ...by, ...all }
    const signature = signText(signer, commandText(text))
    return { type: 'command', ...all, signature, doorSignature: signText(signer, doorCommandText(text)) } as const
  }

  /** The desired mode of a door, as the server signs it. */
  function doorMode({ mayPass, ...fields }: Partial<DesiredMode> & { mayPass?: string[][] }) {
    const all = { door: 1, doorId: doorIds[0], version: 1, mode: 'lockdown', until: null, ...fields } as const
    const { privateKey } = keys
    const signature = signText(privateKey, doorModeText({ unit: unitId, ...all }))
    const doorSignature = signText(privateKey, modeOfDoorText({ unit: unitId, ...all }))
    const exceptions = mayPass && {
      mayPass,
      mayPassSignature: signText(privateKey, mayPassText({ unit: unitId, ...all, mayPass })),
    }
    return { type: 'doorMode', ...all, signature, doorSignature, ...exceptions } as const
  }

  function approvalOutcome(ended: Ended, { signer = keys.privateKey, ...by }: Partial<Signing> = {}) {
    const signature = signText(signer, approvalOutcomeText({ unit: unitId, nonce, ...by, ...ended }))
    return { type: 'approvalOutcome', ...ended, signature } as const
  }

  function interlockAnswer({ id, outcome }: { id: string; outcome: InterlockAnswered }) {
    const signature = signText(keys.privateKey, interlockText({ unit: unitId, nonce, id, outcome }))
    return { type: 'interlockAnswer', id, outcome, signature } as const
  }

  function passages(passages: SharedPassage[], { signer = keys.privateKey, ...by }: Partial<Signing> = {}) {
    const upTo = now()
    const signature = signText(signer, passagesText({ unit: unitId, nonce, ...by, passages, upTo }))
    return { type: 'passages', passages, upTo, signature } as const
  }

  function blocklist(
    list: { block?: string[]; unblock?: string[] },
    { signer = keys.privateKey, ...by }: Partial<Signing> = {},
  ) {
    const all = { block: [], unblock: [], ...list }
    const signature = signText(signer, blocklistText({ unit: unitId, nonce, ...by, ...all }))
    return { type: 'blocklist', ...all, signature } as const
  }

  return {
    blocklist,
    passages,
    interlockAnswer,
    command,
    doorMode,
    approvalOutcome,
    /** Sends these before the challenge of later connections. */
    greetWith(frames: ServerFrame[]) {
      greeting = frames
    },
    /** Signs with another key from now on; returns the frame that announces it. */
    rotate({ signer = keys.privateKey, unit = unitId }: Partial<Signing> = {}) {
      keys = generateKeys()
      clockSigner = keys.privateKey
      const [serverKey, rotatedAt] = [keys.publicKey, now()]
      const signature = signText(signer, serverKeyText({ unit, serverKey, at: rotatedAt }))
      return { type: 'serverKey', serverKey, at: rotatedAt, signature } as const
    },
    /** Sends this after each later hello, before the welcome. */
    announce(frame: ServerFrame) {
      announcement = frame
    },
    /** Signs later times with another key. */
    forgeClock() {
      clockSigner = generateKeys().privateKey
    },
    url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    received,
    /** The records in the order of their arrival, including repeated ones. */
    stored,
    send,
    cut: () => socket?.terminate(),
    /** Without a script, it welcomes every unit. */
    answerWith(script: (frame: UnitFrame) => void = welcomeAll) {
      answers = script
    },
    acknowledge(choice: 'everything' | 'nothing') {
      isAcknowledging = choice === 'everything'
    },
    configure(config: UnitConfig, version: number) {
      const bytes = Buffer.from(JSON.stringify(config))
      const hash = createHash('sha256').update(bytes).digest('hex')
      const signature = signText(keys.privateKey, configText({ unit: unitId, version, base: null, hash }))
      send({ type: 'config', version, base: null, policyVersion: 1, hash, signature, chunks: 1 })
      send({ type: 'configChunk', version, index: 0, data: bytes.toString('base64') })
    },
    receivedOf: <T extends UnitFrame['type']>(type: T) => received.filter(isOf(type)),
    async close() {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

function isOf<T extends UnitFrame['type']>(type: T) {
  return (frame: UnitFrame): frame is Extract<UnitFrame, { type: T }> => frame.type === type
}

export type ScriptedServer = Awaited<ReturnType<typeof scriptedServer>>

function now() {
  return new Date().toISOString()
}
