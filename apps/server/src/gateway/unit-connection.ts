import { randomBytes } from 'node:crypto'
import { limits, type ServerFrame, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { RefusalCode } from '@portcullis/contract/unit-protocol/refusal-codes'
import { WebSocket } from 'ws'
import { closeCodes } from './close-codes.ts'
import type { ConnectionEvents } from './connection-events.ts'
import { noteResult } from '../commands/command-status.ts'
import { configFor, noteApplied } from '../desired/config-push.ts'
import { continueAbove, type DesiredMode } from '../desired/door-modes.ts'
import { enrol } from '../units/enrol.ts'
import { noDelay, mergeDelay } from '../ingest/event-delay.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { FrameIntake } from './frame-intake.ts'
import { type HelloFrame, identify, type Standing } from './hello.ts'
import { ingest } from '../ingest/ingest.ts'
import { OrderedWork } from '../limits/ordered-work.ts'
import { noteHeartbeat } from './presence.ts'
import { isAnswering } from './is-answering.ts'
import { isModeReport, readFrame, readOnce } from './read-frame.ts'
import { UnitRefused } from '../ingest/refusal.ts'
import { OutgoingFrames } from './outgoing-frames.ts'
import { UnitDeliveries } from './unit-deliveries.ts'

type Peer = { socket: WebSocket; address: string }
type Options = Peer & { gateway: GatewayDependencies; holder: string; events: ConnectionEvents }

/** One unit's connection, whose frames are processed one after the other, except reports of modes, which go ahead. */
export class UnitConnection {
  readonly address: string
  /** By which the unit has proved its identity. */
  publicKey: string | undefined
  /** Of the unit's hello. */
  nonce = ''
  /** The key of the topmost account above the unit. */
  root: number | undefined
  readonly #socket: WebSocket
  readonly #gateway: GatewayDependencies
  readonly #holder: string
  readonly #events: ConnectionEvents
  readonly #nonce = randomBytes(32).toString('base64')
  readonly #introduction: NodeJS.Timeout
  readonly #intake: FrameIntake
  readonly #outgoing: OutgoingFrames
  #unit: string | undefined
  /** The unit's account at its last events. */
  #account: number | undefined
  #serial: string | undefined
  /** Runs while a disabled unit may still apply the configuration that disables it. */
  #disabling: NodeJS.Timeout | undefined
  #clockOffsetMs: number | null = null
  /** Set once the unit is admitted. */
  #deliveries: UnitDeliveries | undefined
  /** Of the events since the last heartbeat. */
  #delay = noDelay
  #lastHeartbeat = performance.now()
  readonly #work = new OrderedWork((error) => this.#failed(error))

  constructor({ socket, address, gateway, holder, events }: Options) {
    this.address = address
    this.#socket = socket
    this.#outgoing = new OutgoingFrames(socket)
    this.#gateway = gateway
    this.#holder = holder
    this.#events = events
    const log = () => gateway.log.warn({ unit: this.#unit, address }, 'a unit sends too much and was throttled')
    this.#intake = new FrameIntake(socket, log)
    this.#introduction = setTimeout(() => this.#refuse(new UnitRefused('too_slow')), limits.handshakeMs)
    socket.on('message', (data, isBinary) => {
      this.#intake.arrived(Buffer.isBuffer(data) ? data.length : 0)
      this.#receive(readOnce(() => readFrame(data, { isBinary, isProven: this.#unit !== undefined })))
    })
    // The close that follows reports the error.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(this.#introduction)
      clearTimeout(this.#disabling)
      this.#intake.close()
      events.onClosed()
      this.#work.add(async () => this.#events.onGone(this))
    })
    this.#send({ type: 'challenge', nonce: this.#nonce, at: new Date(gateway.now()).toISOString() })
  }

  /** Once it is admitted. */
  get unit() {
    return this.#unit
  }

  get clockOffsetMs() {
    return this.#clockOffsetMs
  }

  /** Whether to consider the unit gone: enough heartbeats are missing, or it reads nothing of what the server sends. */
  get isGone() {
    return performance.now() - this.#lastHeartbeat > 3 * limits.heartbeatSeconds * 1_000 || this.#outgoing.isStalled
  }

  /** Whether the other end answers within two seconds. */
  isAnswering = () => isAnswering(this.#socket)

  /** Ends a connection that is no longer allowed, and sends a configuration that is newer than the last one sent. */
  follow(standing: Standing | undefined) {
    if (this.#unit === undefined) return
    if (!standing) return this.refuse('unknown_unit')
    if (standing.publicKey !== this.publicKey) return this.refuse('key_replaced')
    if (standing.inService) this.#enable()
    else this.#disable()
    if (standing.version !== this.#deliveries?.settledVersion) this.pushConfig()
  }

  refuse(code: RefusalCode) {
    this.#refuse(new UnitRefused(code, this.#unit === undefined ? {} : { unit: this.#unit }))
  }

  /** The unit is disconnected once it has applied the configuration that closes its doors, or when it takes too long. */
  #disable() {
    this.#disabling ??= setTimeout(() => this.refuse('out_of_service'), limits.disablingMs)
  }

  #enable() {
    clearTimeout(this.#disabling)
    this.#disabling = undefined
  }

  terminate() {
    this.#socket.terminate()
  }

  /** Ends after the frame that is being processed. */
  async end() {
    await this.#work.done()
    this.#socket.close(1_001, 'The server is stopping.')
    this.#socket.terminate()
  }

  /** Sends the desired configuration, if the unit has another. */
  pushConfig() {
    this.deliver((deliveries) => deliveries.sendConfig())
  }

  /** A lockdown does not wait for the events before it. */
  sendModes(modes: readonly DesiredMode[]) {
    if (!this.#deliveries || this.#socket.readyState !== WebSocket.OPEN) return
    this.#work.addAhead(this.#deliveries.sendModes(modes))
  }

  sendCommands() {
    this.deliver((deliveries) => deliveries.sendCommands())
  }

  /** Does this once the frames before it are processed, if the unit is still connected. */
  deliver(work: (deliveries: UnitDeliveries) => Promise<void>) {
    this.#work.add(async () => {
      if (this.#deliveries && this.#socket.readyState === WebSocket.OPEN) await work(this.#deliveries)
    })
  }

  /** In the order of arrival, but the report of a mode does not wait for the events before it. */
  #receive(read: () => UnitFrame) {
    const process = () => this.#process(async () => this.#handle(read()))
    if (this.#deliveries && isModeReport(read)) this.#work.addAhead(process())
    else this.#work.add(process)
  }

  async #process(work: () => Promise<void>) {
    try {
      if (this.#socket.readyState === WebSocket.OPEN) await work()
    } finally {
      this.#intake.processed()
    }
  }

  #failed(error: unknown) {
    if (error instanceof UnitRefused) return this.#refuse(error)
    // Nothing was acknowledged, so the unit reconnects and sends it again.
    this.#gateway.log.warn({ err: error, unit: this.#unit }, 'processing a unit frame failed')
    this.#socket.close(closeCodes.tryAgain, 'Try again later.')
  }

  async #handle(frame: UnitFrame) {
    const { database } = this.#gateway
    const unit = this.#unit
    if ('serial' in frame) this.#serial = frame.serial
    if (unit === undefined) return this.#introduce(frame)
    switch (frame.type) {
      case 'events': {
        this.#intake.countRecords(frame.records.length)
        const received = { ...frame, unit, account: this.#account, clockOffsetMs: this.#clockOffsetMs }
        const { upTo, delay, account } = await ingest(this.#gateway, received)
        this.#account = account
        this.#delay = mergeDelay(this.#delay, delay)
        this.#send({ type: 'ack', logId: frame.logId, upTo })
        return this.#gateway.feed.hint()
      }
      case 'heartbeat':
        return this.#heartbeat(unit, frame)
      case 'configApplied': {
        const isDue = this.#deliveries?.reported({ version: frame.version, hash: frame.hash })
        await noteApplied(database, unit, frame)
        if (this.#disabling && !isDue) throw new UnitRefused('out_of_service', { unit })
        return this.#gateway.feed.hint()
      }
      case 'configRejected':
        await this.#deliveries?.rejected(frame)
        return this.#gateway.feed.hint()
      case 'doorModeApplied':
        return this.#deliveries?.noteMode(frame)
      case 'commandResult':
        await database.asSystem((tx) => noteResult(tx, unit, frame))
        return this.#gateway.feed.hint()
      case 'approvalRequest':
        return this.#deliveries?.requestApproval(frame)
      case 'interlockRequest':
      case 'interlockState':
        return this.#deliveries?.shareInterlock(frame)
      case 'serverKeyKept':
        return this.#deliveries?.noteServerKey(frame.serverKey)
      case 'enrol':
      case 'hello':
        throw new UnitRefused('unexpected', { unit })
    }
  }

  async #introduce(frame: UnitFrame) {
    const { database, serverKeys, feed } = this.#gateway
    const isOpen = () => this.#socket.readyState === WebSocket.OPEN
    if (frame.type === 'enrol') {
      const serverKey = serverKeys.current.publicKey
      const check = () => enrol(database, { frame, nonce: this.#nonce, serverKey })
      const { unit, ...enrolled } = await this.#events.onIntroduction(frame, check, isOpen)
      this.#send({ type: 'enrolled', unit, serverKey, ...enrolled })
      return feed.hint()
    }
    if (frame.type !== 'hello') throw new UnitRefused('unexpected')
    const check = () => identify(database, { frame, nonce: this.#nonce })
    const { unit, name, publicKey, inService, root } = await this.#events.onIntroduction(frame, check, isOpen)
    this.publicKey = publicKey
    this.nonce = frame.nonce
    this.root = root
    if (!inService) await this.#admitDisabled(unit, frame)
    this.#clockOffsetMs = this.#offsetOf(frame.at)
    await this.#events.onArrival(this, frame)
    clearTimeout(this.#introduction)
    this.#unit = unit
    const sending = { frames: this.#outgoing, onConfirmed: () => this.pushConfig() }
    const deliveries = new UnitDeliveries({ unit, root, hello: frame, gateway: this.#gateway, ...sending })
    this.#lastHeartbeat = performance.now()
    await deliveries.sendServerKey()
    this.#send(deliveries.welcome({ name, requestedAt: frame.at }))
    this.#deliveries = deliveries
    if (frame.doorModes?.length) await continueAbove(database, { unit, stored: frame.doorModes })
    // A lockdown does not wait for a configuration.
    this.deliver(() => deliveries.sendAllModes())
    this.deliver(() => deliveries.sendMissedBlocklist())
    this.deliver(() => deliveries.sendMissedPassages())
    this.pushConfig()
    this.sendCommands()
  }

  /** A disabled unit is admitted only to receive the configuration that disables it. */
  async #admitDisabled(unit: string, { applied, highestVersion }: HelloFrame) {
    const desired = await configFor(this.#gateway, { unit, applied, highestVersion, takesDeltas: false })
    if (!desired?.toSend) throw new UnitRefused('out_of_service', { unit })
    this.#disable()
  }

  /** How far the unit's clock is ahead of the server's, by its own report. */
  #offsetOf(at: string) {
    return Math.round(Date.parse(at) - this.#gateway.now())
  }

  async #heartbeat(unit: string, { at, applied, ...frame }: Extract<UnitFrame, { type: 'heartbeat' }>) {
    this.#lastHeartbeat = performance.now()
    if (this.#deliveries) this.#send({ type: 'heartbeatAck', ...this.#deliveries.clock(at) })
    const [clockOffsetMs, delay] = [this.#offsetOf(at), this.#delay]
    this.#clockOffsetMs = clockOffsetMs
    this.#delay = noDelay
    this.#deliveries?.reported(applied)
    const { pendingEvents, request, tampered, onBattery } = frame
    const heartbeat = { clockOffsetMs, pendingEvents, request, tampered, onBattery, ...delay }
    await noteHeartbeat(this.#gateway.database, { unit, holder: this.#holder, ...heartbeat })
    this.#gateway.feed.hint()
  }

  #refuse(refusal: UnitRefused) {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const about = { address: this.address, serial: this.#serial, isProven: this.publicKey !== undefined }
    this.#events.onRefused(refusal, about)
    this.#send({ type: 'refused', code: refusal.code, message: refusal.message })
    this.#socket.close(closeCodes.refused, refusal.code)
  }

  #send(frame: ServerFrame) {
    this.#outgoing.send(frame)
  }
}
