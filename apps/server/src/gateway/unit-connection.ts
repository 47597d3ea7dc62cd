import { randomBytes } from 'node:crypto'
import { limits, type ServerFrame, type UnitFrame, unitFrame } from '@portcullis/contract/unit-protocol/frames'
import { type RawData, WebSocket } from 'ws'
import { raiseApproval, takeOutcomes } from './approvals.ts'
import { noteResult } from '../commands/command-status.ts'
import { takeCommands } from '../commands/commands.ts'
import { configFor, configFrames, noteApplied, noteRejected, type UnitConfigState } from '../desired/config-push.ts'
import { modeFrame, modesOf, noteModeApplied, noteModesSent } from '../desired/door-modes.ts'
import { enrol } from '../units/enrol.ts'
import { noDelay, withLater } from '../ingest/event-delay.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { type HelloFrame, identify } from './hello.ts'
import { ingest } from '../ingest/ingest.ts'
import { noteHeartbeat } from './presence.ts'
import { UnitRefused } from '../ingest/refusal.ts'

/** So many frames may wait to be worked on before the unit is not read any further. */
const mostWaiting = 16
const refusedCloseCode = 4_001
const tryAgainCloseCode = 1_011

export type ConnectionEvents = {
  /** A unit has proved who it is; throws where it may not come in. */
  onArrival: (connection: UnitConnection, hello: HelloFrame) => Promise<void>
  onGone: (connection: UnitConnection) => void
  onRefused: (refusal: UnitRefused, about: { address: string; serial: string | undefined }) => void
}

type Options = { socket: WebSocket; address: string; parts: GatewayParts; holder: string; events: ConnectionEvents }

/** One unit's connection, from the challenge to the end. Its frames are worked on one after the other. */
export class UnitConnection {
  readonly address: string
  readonly #socket: WebSocket
  readonly #parts: GatewayParts
  readonly #holder: string
  readonly #events: ConnectionEvents
  readonly #nonce = randomBytes(32).toString('base64')
  readonly #introduction: NodeJS.Timeout
  #unit: string | undefined
  #serial: string | undefined
  #clockOffsetMs: number | null = null
  #config: UnitConfigState = { applied: null, highestVersion: 0 }
  /** The version that was last sent, or found in force. */
  #settledVersion: number | undefined
  /** The version of each door's mode that was last sent here. */
  readonly #toldModes = new Map<number, number>()
  /** Of the events that came since the last heartbeat. */
  #delay = noDelay
  #lastHeartbeat = performance.now()
  #work: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor({ socket, address, parts, holder, events }: Options) {
    this.address = address
    this.#socket = socket
    this.#parts = parts
    this.#holder = holder
    this.#events = events
    this.#introduction = setTimeout(() => this.#refuse(new UnitRefused('too_slow')), limits.handshakeMs)
    socket.on('message', (data, isBinary) => this.#take(() => this.#handle(frameFrom(data, isBinary))))
    // What went wrong is told by the close that follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(this.#introduction)
      this.#inTurn(async () => this.#events.onGone(this))
    })
    this.#send({ type: 'challenge', nonce: this.#nonce, at: this.#at() })
  }

  /** The unit, once it is welcome. */
  get unit() {
    return this.#unit
  }

  get settledVersion() {
    return this.#settledVersion
  }

  /** Whether so many heartbeats are missing that nobody is there. */
  get isSilent() {
    return performance.now() - this.#lastHeartbeat > 3 * limits.heartbeatSeconds * 1_000
  }

  /** Whether the other end answers within two seconds. */
  isAnswering() {
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), 2_000)
      const settle = (answer: boolean) => {
        clearTimeout(timer)
        resolve(answer)
      }
      this.#socket.once('pong', () => settle(true))
      this.#socket.once('close', () => settle(false))
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
      else settle(false)
    })
  }

  terminate() {
    this.#socket.terminate()
  }

  /** Ends after the frame that is being worked on. */
  async end() {
    await this.#work.catch(() => {})
    this.#socket.close(1_001, 'The server is stopping.')
    this.#socket.terminate()
  }

  /** Sends the configuration that the unit should have, if it has another. */
  pushConfig() {
    this.#inTurn(async () => {
      const unit = this.#unit
      if (unit === undefined) return
      const wanted = await configFor(this.#parts.database, { unit, ...this.#config })
      if (!wanted || wanted.version === this.#settledVersion) return
      this.#settledVersion = wanted.version
      if (!wanted.toSend) return noteApplied(this.#parts.database, unit, wanted)
      for (const frame of configFrames({ unit, config: wanted.toSend, key: this.#parts.signingKey })) this.#send(frame)
    })
  }

  /** Tells what is wanted of the unit's doors: all of it at its arrival, later what it has not confirmed. */
  sendModes({ all }: { all: 'yes' | 'no' }) {
    this.#inTurn(async () => {
      const unit = this.#unit
      if (unit === undefined) return
      const { database, signingKey } = this.#parts
      const open = await modesOf(database, unit)
      const due = open.filter(
        ({ door, version, isApplied }) => all === 'yes' || (!isApplied && this.#toldModes.get(door) !== version),
      )
      for (const wanted of due) {
        this.#send(modeFrame({ unit, wanted, key: signingKey }))
        this.#toldModes.set(wanted.door, wanted.version)
      }
      const doors = due.flatMap(({ door, isApplied }) => (isApplied ? [] : [door]))
      if (doors.length > 0) await noteModesSent(database, { unit, doors })
      this.#parts.feed.hint()
    })
  }

  sendCommands() {
    this.#inTurn(async () => {
      if (this.#unit === undefined || this.#socket.readyState !== WebSocket.OPEN) return
      for (const command of await takeCommands(this.#parts.database, this.#unit)) this.#send(command)
    })
  }

  /** Tells how requests ended that somebody waits for at a reader of the unit. */
  sendOutcomes() {
    this.#inTurn(async () => {
      const unit = this.#unit
      if (unit === undefined || this.#socket.readyState !== WebSocket.OPEN) return
      const outcomes = await this.#parts.database.asSystem((tx) => takeOutcomes(tx, unit))
      for (const outcome of outcomes) this.#send(outcome)
    })
  }

  #take(work: () => Promise<void>) {
    this.#waiting++
    if (this.#waiting > mostWaiting) this.#socket.pause()
    this.#inTurn(async () => {
      try {
        if (this.#socket.readyState === WebSocket.OPEN) await work()
      } finally {
        this.#waiting--
        if (this.#waiting === 0) this.#socket.resume()
      }
    })
  }

  #inTurn(work: () => Promise<void>) {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      if (error instanceof UnitRefused) return this.#refuse(error)
      // Nothing was acknowledged, so the unit comes back and sends it again.
      this.#parts.log.warn({ err: error, unit: this.#unit }, 'a unit’s frame could not be worked on')
      this.#socket.close(tryAgainCloseCode, 'Try again later.')
    })
  }

  async #handle(frame: UnitFrame) {
    const { database } = this.#parts
    const unit = this.#unit
    if (frame.type === 'enrol' || frame.type === 'hello') this.#serial = frame.serial
    if (unit === undefined) return this.#introduce(frame)
    switch (frame.type) {
      case 'events': {
        const { upTo, delay } = await ingest(this.#parts, { ...frame, unit, clockOffsetMs: this.#clockOffsetMs })
        this.#delay = withLater(this.#delay, delay)
        this.#send({ type: 'ack', logId: frame.logId, upTo })
        return this.#parts.feed.hint()
      }
      case 'heartbeat':
        return this.#heartbeat(unit, frame)
      case 'configApplied':
        this.#config = {
          applied: { version: frame.version, hash: frame.hash },
          highestVersion: Math.max(this.#config.highestVersion, frame.version),
        }
        await noteApplied(database, unit, frame)
        return this.#parts.feed.hint()
      case 'configRejected':
        await noteRejected(database, unit, frame)
        return this.#parts.feed.hint()
      case 'doorModeApplied':
        await noteModeApplied(database, { unit, ...frame })
        return this.#parts.feed.hint()
      case 'commandResult':
        await database.asSystem((tx) => noteResult(tx, unit, frame))
        return this.#parts.feed.hint()
      case 'approvalRequest': {
        const raised = await raiseApproval(this.#parts, { unit, frame })
        if (raised === 'unavailable') this.#send({ type: 'approvalOutcome', id: frame.id, outcome: raised })
        return this.#parts.feed.hint()
      }
      case 'enrol':
      case 'hello':
        throw new UnitRefused('unexpected', { unit })
    }
  }

  async #introduce(frame: UnitFrame) {
    const { database, signingKey, compile, log, feed } = this.#parts
    if (frame.type === 'enrol') {
      const { account, unit, ...enrolled } = await enrol(database, { frame, nonce: this.#nonce })
      this.#send({ type: 'enrolled', unit, serverKey: signingKey.publicKey, ...enrolled })
      compile(account).catch((error: unknown) => log.warn({ err: error, unit }, 'no configuration could be made yet'))
      return feed.hint()
    }
    if (frame.type !== 'hello') throw new UnitRefused('unexpected')
    const { unit, name } = await identify(database, { frame, nonce: this.#nonce })
    this.#clockOffsetMs = this.#offsetOf(frame.at)
    await this.#events.onArrival(this, frame)
    clearTimeout(this.#introduction)
    this.#unit = unit
    this.#config = { applied: frame.applied, highestVersion: frame.highestVersion }
    this.#lastHeartbeat = performance.now()
    this.#send({ type: 'welcome', unit, name, heartbeatSeconds: limits.heartbeatSeconds, at: this.#at() })
    // A lockdown does not wait for a configuration.
    this.sendModes({ all: 'yes' })
    this.pushConfig()
    this.sendCommands()
  }

  /** How far the unit's clock is ahead of ours by what it says now. */
  #offsetOf(at: string) {
    return Math.round(Date.parse(at) - this.#parts.now())
  }

  get clockOffsetMs() {
    return this.#clockOffsetMs
  }

  async #heartbeat(unit: string, { at, pendingEvents, applied }: Extract<UnitFrame, { type: 'heartbeat' }>) {
    this.#lastHeartbeat = performance.now()
    this.#send({ type: 'heartbeatAck', at: this.#at() })
    const clockOffsetMs = this.#offsetOf(at)
    this.#clockOffsetMs = clockOffsetMs
    this.#config = { ...this.#config, applied }
    const told = { clockOffsetMs, pendingEvents, ...this.#delay }
    this.#delay = noDelay
    await noteHeartbeat(this.#parts.database, { unit, holder: this.#holder, ...told })
    this.#parts.feed.hint()
  }

  #refuse(refusal: UnitRefused) {
    clearTimeout(this.#introduction)
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#events.onRefused(refusal, { address: this.address, serial: this.#serial })
    this.#send({ type: 'refused', code: refusal.code, message: refusal.message })
    this.#socket.close(refusedCloseCode, refusal.code)
  }

  #send(frame: ServerFrame) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  #at() {
    return new Date(this.#parts.now()).toISOString()
  }
}

function frameFrom(data: RawData, isBinary: boolean): UnitFrame {
  if (isBinary || !Buffer.isBuffer(data)) throw new UnitRefused('malformed', { detail: 'Frames are text, not binary.' })
  const parsed = unitFrame.safeParse(jsonFrom(data.toString()))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') || 'the frame'
  throw new UnitRefused('malformed', { detail: `At ${place}: ${issue?.message}.` })
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnitRefused('malformed', { detail: 'It is not JSON.' })
  }
}
