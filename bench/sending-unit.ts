import { once } from 'node:events'
import { serverFrame, subprotocol, type UnitFrame, unitsPath } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { signText } from '@portcullis/controllers/keys'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type EnrolledUnit, isAdmitted } from './ingest-world.ts'

/** This unit runs no commands, so a constant nonce is enough. */
const ownNonce = Buffer.alloc(16).toString('base64')
const heartbeatMs = 15_000

/**
 * A unit's side of the protocol without its disk: it connects, confirms its configurations and sends frames of access
 * records. It measures the time from sending a frame to its acknowledgement.
 */
export async function connectUnit(url: string, enrolled: EnrolledUnit) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${unitsPath}`, subprotocol)
  const logId = uuidv7()
  const unacknowledged: { upTo: number; sentAt: number; done: () => void }[] = []
  const waits: number[] = []
  const admitted = Promise.withResolvers<void>()
  let applied: { version: number; hash: string } | null = null
  let seq = 0
  let failure: Error | undefined
  const send = (frame: UnitFrame) => socket.send(JSON.stringify(frame))
  const at = () => new Date().toISOString()

  socket.addEventListener('message', ({ data }) => receive(serverFrame.parse(JSON.parse(z.string().parse(data)))))
  socket.addEventListener('close', ({ code }) => {
    failure = new Error(`The server closed the connection of ${enrolled.serial} with ${code}.`)
    admitted.reject(failure)
    for (const { done } of unacknowledged.splice(0)) done()
  })
  await admitted.promise
  const heartbeat = setInterval(
    () => send({ type: 'heartbeat', at: at(), pendingEvents: unacknowledged.length, applied }),
    heartbeatMs,
  )

  return {
    waits,
    /** Sends a frame of records; resolves when the server has acknowledged them. */
    sendEvents(count: number) {
      if (failure) throw failure
      const { promise, resolve } = Promise.withResolvers<void>()
      const records = Array.from({ length: count }, () => ({ seq: (seq += 1), body: presented() }))
      unacknowledged.push({ upTo: seq, sentAt: performance.now(), done: resolve })
      send({ type: 'events', logId, records })
      return promise
    },
    get sent() {
      return seq
    },
    async stop() {
      clearInterval(heartbeat)
      if (socket.readyState === WebSocket.CLOSED) return
      socket.close()
      await once(socket, 'close')
    },
  }

  function receive(frame: ReturnType<typeof serverFrame.parse>) {
    if (frame.type === 'challenge') {
      const { unit, serial, privateKey } = enrolled
      const signature = signText(privateKey, helloText({ nonce: frame.nonce, unit }))
      send({ type: 'hello', unit, serial, signature, nonce: ownNonce, applied: null, highestVersion: 0, at: at() })
    }
    if (frame.type === 'welcome') admitted.resolve()
    if (frame.type === 'config') {
      applied = { version: frame.version, hash: frame.hash }
      send({ type: 'configApplied', ...applied })
    }
    if (frame.type === 'ack') acknowledge(frame.upTo)
    if (frame.type === 'refused') failure = new Error(`${enrolled.serial} was refused: ${frame.message}`)
  }

  function acknowledge(upTo: number) {
    while (unacknowledged[0] && unacknowledged[0].upTo <= upTo) {
      const { sentAt, done } = unacknowledged.shift() ?? { sentAt: 0, done: () => {} }
      waits.push(performance.now() - sentAt)
      done()
    }
  }

  function presented(): UnitRecord {
    const number = enrolled.numbers[Math.floor(Math.random() * enrolled.numbers.length)] ?? ''
    const verdict = isAdmitted(number)
      ? ({ verdict: 'grant', reason: null } as const)
      : ({ verdict: 'deny', reason: 'no_access' } as const)
    const door = 1 + (seq % enrolled.doors)
    const configVersion = applied?.version ?? null
    return { type: 'access', at: at(), door, configVersion, direction: 'entry', kind: 'card', number, ...verdict }
  }
}

export type SendingUnit = Awaited<ReturnType<typeof connectUnit>>
